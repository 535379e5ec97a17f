/*
 * The installation guide, followed literally: `node test/deploy/guide.ts [--keep]` runs the commands of docs/installation.md in an empty Debian,
 * which it makes in a folder and boots with systemd in namespaces of its own. At the end an add-on was signed through the proxy, every unit
 * runs, and Prometheus reaches all processes. Takes some minutes, 2 GB of space and packages of Debian and npm. Step 1 runs before the first
 * boot, as only it needs the network. Status 69: something is missing, such as root, mmdebstrap, versitygw or cgroups of version 2.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { until } from '../crash/support/waiting.ts';
import { findProgram } from '../support/find-program.ts';

const ROOT = join(import.meta.dirname, '../..');
const GUIDE = 'docs/installation.md';
const HOST = 'addons.example.org';
/** What is on a machine after the installer of Debian. */
const EMPTY = 'systemd,systemd-sysv,dbus,ca-certificates';
const UNITS = ['addons-web@8001', 'addons-web@8002', 'addons-worker@1', 'addons-worker@2', 'haproxy', 'pgbouncer'];
const PROCESSES = 4;
const AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt';
const BOOT_MS = 120_000;
const SCRAPE_MS = 60_000;
const END_MS = 30_000;

const ENVIRONMENT = ['-i', 'HOME=/root', 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'];
const SETTINGS = ['DEBIAN_FRONTEND=noninteractive', `NODE_EXTRA_CA_CERTS=${AUTHORITIES}`];
const SHELL = [...ENVIRONMENT, ...SETTINGS, 'bash', '-euo', 'pipefail', '/root/guide.sh'];

const OUTPUT = { maxBuffer: 1 << 26 };

/** What systemd expects of a container, with a network of its own that has only loopback. */
const CONTAINER = `
echo 0 >"$1/cgroup.procs"
exec unshare --mount --pid --fork --kill-child --uts --ipc --net --cgroup bash -ec '
  cd "$0"
  mount --make-rprivate /
  mount --bind . .
  cd "$0"
  mount -t proc proc proc
  mount -t sysfs -o ro sysfs sys
  mount -t cgroup2 cgroup2 sys/fs/cgroup
  mount -t tmpfs -o mode=755 tmpfs dev
  mkdir dev/pts dev/shm
  mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts dev/pts
  mount -t tmpfs tmpfs dev/shm
  mount -t tmpfs -o mode=755 tmpfs run
  mount -t tmpfs tmpfs tmp
  ln -s pts/ptmx dev/ptmx
  for each in null zero full random urandom tty; do touch dev/$each; mount --bind /dev/$each dev/$each; done
  ln -s /proc/self/fd dev/fd
  for each in 0:stdin 1:stdout 2:stderr; do ln -s fd/\${each%:*} dev/\${each#*:}; done
  ip link set lo up
  hostname addons
  pivot_root . mnt
  umount -l /mnt
  exec env -i container=other PATH=/usr/sbin:/usr/bin /lib/systemd/systemd
' "$0"`;

const run = promisify(execFile);
const { values } = parseArgs({ options: { keep: { type: 'boolean', default: false } } });
const lacking = await findLacking();
if (lacking !== null) {
  console.log(`skipped: ${lacking}`);
  process.exit(69);
}

const folder = await mkdtemp(join(tmpdir(), 'addons-guide-'));
const root = join(folder, 'root');
let machine: ChildProcess | undefined;
try {
  await makeMachine();
  const [programs = '', ...others] = await blocks();
  await step('Step 1, with the network and before the first boot', inFolder(programs));
  const leader = await boot();
  await step('The other steps', inMachine(leader, others.join('\n')));
  for (const unit of UNITS) await inMachine(leader, `systemctl is-active --quiet ${unit}`);
  await until('Prometheus to reach every process', SCRAPE_MS, async () => {
    const { stdout } = await inMachine(leader, others.at(-1) ?? '');
    const { data } = JSON.parse(stdout) as { data: { result: { value: [number, string] }[] } };
    return data.result.filter(({ value }) => value[1] === '1').length === PROCESSES ? true : null;
  });
  console.log('PASS');
} finally {
  await end();
}
process.exit();

async function findLacking(): Promise<string | null> {
  if (process.getuid?.() !== 0) return 'not root';
  for (const program of ['mmdebstrap', 'versitygw', 'unshare', 'nsenter', 'pgrep']) {
    if ((await findProgram(program)) === null) return `no ${program}`;
  }
  return (await cgroups()) === null ? 'no cgroups of version 2' : null;
}

/** Where cgroups of version 2 are mounted. */
async function cgroups(): Promise<string | null> {
  const mounts = await readFile('/proc/mounts', 'utf8');
  return /^\S+ (\S+) cgroup2 /m.exec(mounts)?.[1] ?? null;
}

/** Makes an empty Debian with the files of the release, the program of the S3 server, and the name servers of this machine. */
async function makeMachine(): Promise<void> {
  await step(
    'An empty Debian',
    run('mmdebstrap', ['--quiet', '--variant=minbase', `--include=${EMPTY}`, 'trixie', root]),
  );
  const program = join(root, 'opt/addons');
  await mkdir(program, { recursive: true });
  const { stdout } = await run('git', ['ls-files', '-z'], { cwd: ROOT, maxBuffer: 1 << 26 });
  for (const file of stdout.split('\0').filter(Boolean)) await cp(join(ROOT, file), join(program, file));
  await copyFile((await findProgram('versitygw')) ?? '', join(root, 'usr/local/bin/versitygw'));
  // A proxy in front of the registries may have an authority that only this machine trusts.
  for (const file of ['/etc/resolv.conf', AUTHORITIES]) await copyFile(file, join(root, file));
  // Needs twice as many file descriptors, which this machine may not allow.
  const proxy = join(program, 'deploy/haproxy.cfg');
  await writeFile(proxy, (await readFile(proxy, 'utf8')).replace('maxconn 20000', 'maxconn 2000'));
  await writeFile(join(root, 'etc/hosts'), `127.0.0.1 localhost ${HOST}\n`);
}

/** The commands of the guide, a text for each block. */
async function blocks(): Promise<string[]> {
  const text = await readFile(join(ROOT, GUIDE), 'utf8');
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
}

async function step(what: string, work: Promise<unknown>): Promise<void> {
  const started = performance.now();
  await work;
  console.log(`${what}: ${Math.round((performance.now() - started) / 1_000)} s`);
}

/** Runs commands in the folder as if it were the root, with the network of this machine. */
async function inFolder(commands: string): Promise<unknown> {
  await writeFile(join(root, 'root/guide.sh'), `cd\n${commands}`);
  const mounts = 'mount -t proc proc "$0/proc"; mount --bind /dev "$0/dev"; exec chroot "$0" env "$@"';
  return explained(run('unshare', ['--mount', '--pid', '--fork', 'bash', '-ec', mounts, root, ...SHELL], OUTPUT));
}

/** Runs commands in the machine that was booted. */
async function inMachine(leader: string, commands: string): Promise<{ stdout: string }> {
  await writeFile(join(root, 'root/guide.sh'), `cd\n${commands}`);
  return explained(run('nsenter', ['--target', leader, '--all', 'env', ...SHELL], OUTPUT));
}

async function explained<Result>(ran: Promise<Result>): Promise<Result> {
  return ran.catch((error: { stdout: string; stderr: string; message: string }) => {
    throw new Error(`A command of the guide failed:\n${error.stdout.slice(-4_000)}\n${error.stderr.slice(-4_000)}`);
  });
}

/** Boots the folder. Returns the process id of its first process. */
async function boot(): Promise<string> {
  const group = join((await cgroups()) ?? '', `addons-guide-${process.pid}`);
  await mkdir(group);
  const child = spawn('bash', ['-ec', CONTAINER, root, group], { stdio: ['ignore', 'inherit', 'inherit'] });
  machine = child;
  process.once('exit', () => child.kill('SIGKILL'));
  return until('the machine to boot', BOOT_MS, async () => {
    const leader = await run('pgrep', ['-P', String(child.pid)]).then(
      ({ stdout }) => stdout.trim(),
      () => null,
    );
    // Units that need the hardware of a machine may have failed.
    const state = leader && (await inMachine(leader, 'systemctl is-system-running || true').catch(() => null))?.stdout;
    return state && /running|degraded/.test(state) ? leader : null;
  });
}

async function end(): Promise<void> {
  if (machine !== undefined) {
    const exited = once(machine, 'exit');
    machine.kill('SIGKILL');
    await exited;
    // The kernel ends its other processes after that.
    const group = join((await cgroups()) ?? '', `addons-guide-${process.pid}`);
    const remove = ['-depth', '-type', 'd', '-exec', 'rmdir', '{}', '+'];
    await until('the end of the machine', END_MS, () =>
      run('find', [group, ...remove]).then(
        () => true,
        () => null,
      ),
    );
  }
  if (values.keep) console.log(`The machine is in ${root}.`);
  else await rm(folder, { recursive: true, force: true });
}
