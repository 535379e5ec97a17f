/** The program cannot migrate the database; the message has instructions for the operator. */
export class MigrationError extends Error {
  override name = 'MigrationError';
}
