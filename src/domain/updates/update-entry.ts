/** A version that a browser may install. */
interface OfferedVersion {
  version: string;
  /** Lowest version of the application. */
  min: string;
  /** Highest version of the application, or `*`. */
  max: string;
  /** Whether the browser must respect `max`, see `hasStrictMax` of the versions. */
  isMaxStrict: boolean;
  /** Address of the file. */
  link: string;
  /** Hex, of the bytes that `link` serves. */
  sha256: string;
  /** Address of the release notes; null without any. */
  infoLink: string | null;
}

/** One element of `updates` in the update manifests that browsers read, keys in order. */
export interface UpdateEntry {
  version: string;
  update_link: string;
  applications: { gecko: { strict_min_version: string; strict_max_version?: string } };
  update_hash: string;
  update_info_url?: string;
}

/** The entry of a version in an update manifest. */
export function updateEntry({ version, min, max, isMaxStrict, link, sha256, infoLink }: OfferedVersion): UpdateEntry {
  const upper = isMaxStrict && max !== '*' ? { strict_max_version: max } : {};
  return {
    version,
    update_link: link,
    applications: { gecko: { strict_min_version: min, ...upper } },
    update_hash: `sha256:${sha256}`,
    ...(infoLink === null ? {} : { update_info_url: infoLink }),
  };
}
