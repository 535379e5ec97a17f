/**
 * The keys of all advisory locks of this service, which share one space in a database. The numbers are arbitrary and unique. They
 * must not change, because processes of two releases exclude each other during an update.
 */
export const LOCK_KEYS = {
  /** Held by the process that migrates. */
  migration: 4_150_321,
  /** Held shared by every process that uses the embedded server, in its maintenance database. */
  embeddedServer: 4_150_322,
  /** First of two keys; the second one is the hash of a worker's id. */
  workerLiveness: 7_302,
  /** First of two keys; the second one is the number of an owner of staged files. */
  stagingOwner: 7_303,
  /** First of two keys; the second one is an account with uploads. */
  accountUploads: 7_309,
  /** Serializes the entries of the audit log. */
  auditLog: 4_150_331,
  /** Serializes the entries of the signature log. */
  signatureLog: 7_302_001,
  /** Serializes changes that may end the rights of administrators. */
  administrators: 4_150_333,
  /** First of two keys; the second one is the hash of a slug that a new add-on gets. */
  slugs: 7_345_113,
  recommendations: 4_150_327,
  /** Held by the process that fills the demo. */
  demo: 4_150_341,
  catalogueImport: 4_150_351,
  /** Held shared by the writers of search indexes, exclusively by a change of their list. */
  indexList: 7_303_001,
  indexRebuild: 7_303_002,
  rowsRebuild: 7_303_003,
  /** Held by a backup. */
  backup: 4_150_361,
  /** Held shared by collections of stored files, exclusively by a backup. */
  collection: 4_150_362,
} as const;
