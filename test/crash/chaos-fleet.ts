import { freePort, type Installation, type RunningProcess } from './support/installation.ts';

export type Role = 'server' | 'worker';

/** One process of the fleet, started again after it ended. */
export interface Member {
  role: Role;
  process: RunningProcess;
  /** Starts the process again; for a server, returns when it is ready. */
  restart(): Promise<void>;
}

/** Two web servers and two workers on one database. */
export interface Fleet {
  members: Member[];
  /** Addresses of the web servers. */
  urls: [string, string];
  /** Restarts workers that ended, as a supervisor does. A web server that ended by itself is reported as a problem. */
  supervise(): Promise<string[]>;
}

export async function startFleet(installation: Installation): Promise<Fleet> {
  const port = await freePort();
  const members = await Promise.all([
    startMember('server', () => installation.serve()),
    startMember('server', () => installation.serve({ port })),
    startMember('worker', () => installation.work()),
    startMember('worker', () => installation.work()),
  ]);
  return {
    members,
    urls: [installation.url, `http://127.0.0.1:${port}`],
    supervise: async () => {
      const ended = members.filter(({ process }) => !process.isRunning());
      await Promise.all(ended.map((member) => member.restart()));
      return ended.filter(({ role }) => role === 'server').map(() => 'a web server ended by itself');
    },
  };
}

async function startMember(role: Role, start: () => Promise<RunningProcess>): Promise<Member> {
  const member: Member = {
    role,
    process: await start(),
    restart: async () => {
      member.process = await start();
    },
  };
  return member;
}
