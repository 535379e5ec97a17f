import { join } from 'node:path';
import { runProgram, type SigningClient } from './client.ts';

const RUNNER = join(import.meta.dirname, 'run-sign-addon.ts');

/** `sign-addon` at the entry point `entry` of an installed version. Its result is the last line of its output. */
export function signAddonClient(name: string, entry: string): SigningClient {
  return {
    name,
    sendsFile: true,
    idKey: 'browser_specific_settings',
    sign: async ({ prefix, key, secret, file, id, version, channel, saveTo }) => {
      const options = {
        xpiPath: file,
        version,
        apiKey: key,
        apiSecret: secret,
        apiUrlPrefix: prefix,
        downloadDir: saveTo,
        disableProgressBar: true,
        ...(id === null ? {} : { id }),
        ...(channel === undefined ? {} : { channel }),
      };
      const { exitCode, output } = await runProgram(process.execPath, [RUNNER, entry, JSON.stringify(options)]);
      const result = /^RESULT (.*)$/m.exec(output)?.[1];
      const reported = result === undefined ? null : (JSON.parse(result) as { id?: string | null }).id;
      return { exitCode, output, id: reported ?? null };
    },
  };
}
