import { deliverMails } from '../../src/domain/mail/deliver-mails.ts';
import { closeDatabase } from '../../src/infra/db.ts';
import { log } from '../../src/infra/log.ts';

/** Sends the due mails in a new process, which a test may kill. Database and mail server come from the environment. */
await deliverMails({ stopping: new AbortController().signal, log });
await closeDatabase();
