import { type Command, JSON_OUTPUT } from './command.ts';

/** The commands about jobs of the workers. */
export const jobCommands: Command[] = [
  {
    name: 'jobs list',
    summary: 'Prints the jobs with failed attempts, the oldest first.',
    options: {
      state: { value: 'S', description: 'Jobs in this state instead: waiting, running, retrying or failed.' },
      task: { value: 'T', description: 'Only jobs of this task, such as sign-version.' },
      json: { description: 'Print one line of JSON for each job.' },
    },
    load: async () => (await import('./jobs.ts')).listJobsCommand,
  },
  {
    name: 'jobs show',
    summary: 'Prints a job with the cause of its last failure.',
    arguments: ['ID'],
    options: { json: JSON_OUTPUT },
    load: async () => (await import('./jobs.ts')).showJob,
  },
  {
    name: 'jobs retry',
    summary: 'Makes a job due now, with all its attempts.',
    arguments: ['ID'],
    options: { json: JSON_OUTPUT },
    load: async () => (await import('./jobs.ts')).retryJobCommand,
  },
  {
    name: 'jobs drop',
    summary: 'Removes a job without running it.',
    arguments: ['ID'],
    options: { json: JSON_OUTPUT },
    load: async () => (await import('./jobs.ts')).dropJobCommand,
  },
];
