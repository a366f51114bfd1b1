import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OWNER } from '../../tools/harness/server.ts'
import type { Account } from '../../tools/harness/server.ts'
import {
  commandOf,
  environmentOf,
  freePort,
  freshFolder,
  removeFolder,
  run,
  startFirsthand,
} from '../faults/lib/firsthand.ts'
import type { Ended, Firsthand } from '../faults/lib/firsthand.ts'
import { post } from '../faults/lib/send.ts'
import { waitForEvent } from '../faults/lib/stores.ts'
import { until } from '../lib/until.ts'

const root = join(import.meta.dirname, '..', '..')
const bin = join(root, 'apps', 'cli', 'bin', 'firsthand.mjs')

/** The Node that the shell of a user has, whichever that is; the command brings its own. */
const hostNode = (): string => {
  const path = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((entry) => !entry.includes('node_modules'))
    .join(delimiter)
  try {
    return execFileSync('which', ['node'], { encoding: 'utf8', env: { PATH: path } }).trim()
  } catch {
    // No other Node is installed: the one that runs the tests stands in.
    return process.execPath
  }
}

const node = hostNode()
const SETUP = [
  'setup',
  '--email',
  OWNER.email,
  '--password',
  OWNER.password,
  '--organization',
  'acme',
  '--project',
  'shop',
]
const FIELDS = ['url', 'dsn', 'organization', 'project', 'projectId', 'token']

/** From a folder that is not the repository, as somebody with no variable set. */
const firsthand = (
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
  input = '',
): Promise<Ended> => {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(FIRSTHAND_|SENTRY_|NODE_OPTIONS)/.test(name)),
  )
  return run(node, [bin, ...args], { env: { ...env, ...variables }, cwd: '/', input })
}

/** The address that programs read from a token, null when it leaves it to them; `region_url` is text in any case. */
const addressIn = (token: string): string | null => {
  const payload = JSON.parse(Buffer.from(token.split('_')[1] ?? '', 'base64').toString()) as Record<string, unknown>
  const { url, region_url: region } = payload as { url: string | null; region_url: string }
  expect(region).toBe(url ?? '')
  return url
}

const parse = (ended: Ended): Account => {
  expect(ended.code, ended.stderr).toBe(0)
  expect(ended.stdout.trim().split('\n')).toHaveLength(1)
  const account = JSON.parse(ended.stdout) as Account
  expect(Object.keys(account)).toEqual(FIELDS)
  for (const value of Object.values(account)) expect(typeof value).toBe('string')
  return account
}

const sendEvent = (port: number, dsn: string): Promise<number> => {
  const { username, pathname } = new URL(dsn)
  return post(
    port,
    `/api${pathname}/envelope/?sentry_key=${username}`,
    '{}\n{"type":"event"}\n{"message":"adopted"}',
  ).then(({ status }) => status)
}

describe('firsthand on the command line', () => {
  const folders: string[] = []
  const folder = (): string => {
    const made = freshFolder()
    folders.push(made)
    return made
  }
  let server: Firsthand
  let dataDir = ''
  let account: Account

  beforeAll(async () => {
    dataDir = folder()
    server = await startFirsthand({ dataDir })
  })
  afterAll(async () => {
    await server.killAll()
    for (const made of folders) removeFolder(made)
  })

  it('setup beside a running server knows its address without being told, and can be repeated', async () => {
    account = parse(await firsthand([...SETUP, '--data-dir', dataDir, '--json']))
    expect(account).toMatchObject({ url: `http://127.0.0.1:${server.port}`, organization: 'acme', project: 'shop' })
    expect(account.dsn).toMatch(new RegExp(`^http://[0-9a-f]{32}@127\\.0\\.0\\.1:${server.port}/${account.projectId}$`))
    expect(await sendEvent(server.port, account.dsn)).toBe(200)
    const again = parse(
      await firsthand([...SETUP, '--json'], {
        FIRSTHAND_DATA_DIR: dataDir,
        FIRSTHAND_PORT: String(server.port),
        FIRSTHAND_HOST: '127.0.0.1',
      }),
    )
    expect({ ...again, token: '' }).toEqual({ ...account, token: '' })
    for (const { token } of [account, again]) {
      const answer = await fetch(`${account.url}/api/0/organizations/acme/`, {
        headers: { authorization: `Bearer ${token}` },
      })
      expect(answer.status).toBe(200)
    }
  })

  it('setup without a server, for people and for programs', async () => {
    const own = folder()
    const first = parse(await firsthand([...SETUP, '--data-dir', own, '--port', '9123', '--json']))
    expect(first.url).toBe('http://localhost:9123')
    expect(addressIn(first.token)).toBe('http://localhost:9123')
    // Nobody has said where the server is: an address in the token would overrule the one that its user gives.
    const unsaid = parse(await firsthand([...SETUP, '--data-dir', own, '--json']))
    expect([unsaid.url, addressIn(unsaid.token)]).toEqual(['http://localhost:9000', null])
    const text = await firsthand([...SETUP, '--data-dir', own])
    expect(text.code, text.stderr).toBe(0)
    for (const field of FIELDS) expect(text.stdout).toMatch(new RegExp(`^${field} +\\S+$`, 'm'))
    expect(text.stdout).toContain(`http://localhost:9000/${first.projectId}`.replace('http://', '@'))
    const behindProxy = parse(
      await firsthand([...SETUP, '--data-dir', own, '--json'], { FIRSTHAND_PUBLIC_URL: 'https://errors.example.com/' }),
    )
    expect(behindProxy.url).toBe('https://errors.example.com')
    expect(addressIn(behindProxy.token)).toBe('https://errors.example.com')
    expect(behindProxy.dsn).toBe(`https://${new URL(first.dsn).username}@errors.example.com/${first.projectId}`)
  })

  it('setup --adopt-dsn without a server: the address is where the applications send to already, but never Sentry’s own', async () => {
    const own = folder()
    const key = randomBytes(16).toString('hex')
    const adopt = async (dsn: string, more: readonly string[] = [], environment = {}) => {
      const made = parse(
        await firsthand([...SETUP, '--data-dir', own, '--json', '--adopt-dsn', dsn, ...more], environment),
      )
      return [made.dsn, addressIn(made.token)]
    }
    const moved = `https://${key}@errors.example.com:8443/sentry/4711`
    expect(await adopt(moved)).toEqual([moved, 'https://errors.example.com:8443/sentry'])
    const theirs = `https://${key}@o4504.ingest.us.sentry.io/4711`
    expect(await adopt(theirs)).toEqual([`http://${key}@localhost:9000/4711`, null])
    expect(await adopt(theirs, ['--port', '9123'])).toEqual([
      `http://${key}@localhost:9123/4711`,
      'http://localhost:9123',
    ])
    expect(await adopt(moved, [], { FIRSTHAND_PUBLIC_URL: 'https://here.example.com' })).toEqual([
      `https://${key}@here.example.com/4711`,
      'https://here.example.com',
    ])
  })

  it('setup takes the password from a file, standard input, the environment or its option; an account keeps its own', async () => {
    const logsIn = async (email: string, password: string): Promise<number> => {
      const origin = `http://127.0.0.1:${server.port}`
      const answer = await fetch(`${origin}/api/0/auth/login/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin },
        body: JSON.stringify({ email, password }),
      })
      return answer.status
    }
    const secret = (way: string): string => `lamp and ladder ${way}`
    const file = join(folder(), 'password')
    writeFileSync(file, `${secret('file')}\n`, { mode: 0o600 })
    const wanted = (way: string) => [
      'setup',
      '--email',
      `${way}@example.com`,
      '--organization',
      'acme',
      '--project',
      'shop',
    ]
    const at = ['--data-dir', dataDir, '--json']
    parse(await firsthand([...wanted('file'), '--password-file', file, ...at]))
    parse(await firsthand([...wanted('input'), '--password', '-', ...at], {}, `${secret('input')}\nmore\n`))
    parse(await firsthand([...wanted('variable'), ...at], { FIRSTHAND_PASSWORD: secret('variable') }))
    parse(await firsthand([...wanted('option'), `--password=${secret('option')}`, ...at], { FIRSTHAND_PASSWORD: 'x' }))
    for (const way of ['file', 'input', 'variable', 'option'])
      expect(await logsIn(`${way}@example.com`, secret(way)), way).toBe(200)
    // Known already: nothing is asked, nothing changes.
    parse(await firsthand([...wanted('file'), ...at]))
    expect(await logsIn('file@example.com', secret('file'))).toBe(200)

    const none = await firsthand([...wanted('nobody'), ...at])
    expect(none).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/needs a password.*--password-file/),
    })
    const missing = await firsthand([...wanted('nobody'), '--password-file', `${file}-none`, ...at])
    expect(missing).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/cannot be read.*ENOENT/) })
    const both = await firsthand([...wanted('nobody'), '--password-file', file, '--password', 'x', ...at])
    expect(both).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('not both') })
  })

  it.skipIf(process.platform !== 'linux').each([
    ['through the command', () => [node, bin]],
    ['by the server’s program', () => commandOf([])],
  ])('setup --password is in nobody’s list of processes while it works: %s', async (_, program) => {
    const secret = 'a-ladder-for-nobody-else'
    const commandLine = (pid: number): string => readFileSync(`/proc/${pid}/cmdline`, 'latin1')
    const childrenOf = (pid: number): number[] =>
      readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean).map(Number)
    const hasLedgerOpen = (pid: number): boolean => {
      const fds = `/proc/${pid}/fd`
      return readdirSync(fds).some((fd) => {
        try {
          return readlinkSync(join(fds, fd)) === join(dataDir, 'ledger.sqlite')
        } catch {
          // Closed since the folder was listed.
          return false
        }
      })
    }
    /** Refused, the command closes the ledger at once and tries again later: whoever looks now and then may miss it. */
    const openLedgerWithin = (pids: readonly number[], ms: number): boolean => {
      const deadline = performance.now() + ms
      for (;;) {
        if (pids.some(hasLedgerOpen)) return true
        if (performance.now() > deadline) return false
      }
    }
    // Nobody can write the ledger, so the command stops at its first write and can be looked at.
    const ledger = new DatabaseSync(join(dataDir, 'ledger.sqlite'), { timeout: 60_000 })
    ledger.exec('BEGIN IMMEDIATE')
    const [file = '', ...words] = program()
    const wanted = [
      'setup',
      '--email',
      'ps@example.com',
      '--password',
      secret,
      '--organization',
      'acme',
      '--project',
      'shop',
    ]
    const child = spawn(file, [...words, ...wanted, '--data-dir', dataDir], {
      env: environmentOf(dataDir, server.port),
      stdio: 'ignore',
    })
    try {
      const family = await until('the command at its work', () => {
        if (child.pid === undefined) return Promise.resolve(null)
        const pids = [child.pid, ...childrenOf(child.pid)]
        // Never in the program that the command starts, from its first moment on.
        for (const pid of pids.slice(1)) expect(commandLine(pid)).not.toContain(secret)
        return Promise.resolve(openLedgerWithin(pids, 200) ? pids : null)
      })
      for (const pid of family) {
        expect(commandLine(pid)).not.toContain(secret)
        expect(commandLine(pid)).toContain('setup')
      }
      expect(execFileSync('ps', ['-eww', '-o', 'args'], { encoding: 'utf8' })).not.toContain(secret)
    } finally {
      ledger.exec('ROLLBACK')
      ledger.close()
    }
    expect(await until('its end', () => Promise.resolve(child.exitCode))).toBe(0)
  })

  it('setup --adopt-dsn keeps key and project id, and the running server, which knew them as unknown, accepts events with them', async () => {
    const key = randomBytes(16).toString('hex')
    const old = `https://${key}@o4504.ingest.example.com/4711`
    // Refused, and remembered as unknown, before it is adopted.
    expect(await sendEvent(server.port, old)).toBe(403)
    const adopt = [
      'setup',
      '--email',
      OWNER.email,
      '--password',
      OWNER.password,
      '--organization',
      'acme',
      '--project',
      'legacy',
      '--adopt-dsn',
      old,
      '--json',
      '--data-dir',
      dataDir,
    ]
    const refusing = setInterval(() => void sendEvent(server.port, old), 100)
    const adopted = parse(await firsthand(adopt).finally(() => clearInterval(refusing)))
    expect(adopted.projectId).toBe('4711')
    expect(adopted.dsn).toBe(`http://${key}@127.0.0.1:${server.port}/4711`)
    await until('an accepted event', async () => ((await sendEvent(server.port, adopted.dsn)) === 200 ? true : null))
    expect({ ...parse(await firsthand(adopt)), token: '' }).toEqual({ ...adopted, token: '' })
    const taken = await firsthand(adopt.map((word) => (word === 'legacy' ? 'other' : word)))
    expect(taken).toMatchObject({ code: 1, stdout: '' })
    expect(taken.stderr).toMatch(/^firsthand: The key .* belongs to another project \(legacy\)/)
  })

  it('send: accepted, refused, unreachable', async () => {
    const accepted = await firsthand(['send', '--dsn', account.dsn, '--message', 'sent by hand', '--release', '1.2.3'])
    expect(accepted, accepted.stderr).toMatchObject({ code: 0, stderr: '' })
    const eventId = /^accepted: event ([0-9a-f]{32})\n$/.exec(accepted.stdout)?.[1] ?? ''
    await waitForEvent(server, eventId)
    const named = await firsthand(['send'], { SENTRY_DSN: account.dsn })
    expect(named.code, named.stderr).toBe(0)

    const refused = await firsthand(['send', '--dsn', account.dsn.replace(/[0-9a-f]{32}/, '0'.repeat(32))])
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(/^firsthand: the server answered 403/)
    const unreachable = await firsthand(['send', '--dsn', `http://${'a'.repeat(32)}@127.0.0.1:${await freePort()}/1`])
    expect(unreachable).toMatchObject({ code: 1, stdout: '' })
    expect(unreachable.stderr).toMatch(/^firsthand: http.*cannot be reached \(.*ECONNREFUSED.*\)/)
  })

  it('token create: a token that works, and only where it may', async () => {
    const made = await firsthand([
      'token',
      'create',
      '--organization',
      'acme',
      '--scopes',
      'org:read',
      '--json',
      '--data-dir',
      dataDir,
    ])
    expect(made.code, made.stderr).toBe(0)
    const { token, createdBy } = JSON.parse(made.stdout) as { token: string; createdBy: string }
    expect(made.stderr).toContain(`This token belongs to ${createdBy}: it does no more than they may do`)
    const ask = (path: string, method = 'GET') =>
      fetch(`${account.url}/api/0${path}`, { method, headers: { authorization: `Bearer ${token}` } })
    expect((await ask('/organizations/acme/')).status).toBe(200)
    expect((await ask('/projects/acme/shop/', 'DELETE')).status).toBe(403)
    const plain = await firsthand(['token', 'create', '--organization', 'acme', '--data-dir', dataDir])
    expect(plain.stdout).toMatch(/^\S+\n$/)
    const nowhere = await firsthand(['token', 'create', '--organization', 'none', '--data-dir', dataDir])
    expect(nowhere).toMatchObject({ code: 1, stdout: '', stderr: 'firsthand: there is no organisation "none".\n' })
    const wanted = ['token', 'create', '--organization', 'acme', '--data-dir', dataDir, '--email']
    expect((await firsthand([...wanted, createdBy])).stderr).toContain(`belongs to ${createdBy}`)
    const nobody = await firsthand([...wanted, 'nobody@example.com'])
    expect(nobody).toMatchObject({ code: 1, stdout: '' })
    expect(nobody.stderr).toContain('nobody with the e-mail address "nobody@example.com" is in it')
  })

  it('doctor: a good installation, a folder without one, and a damaged one', async () => {
    const good = await firsthand(['doctor', '--data-dir', dataDir])
    expect(good.code, good.stdout + good.stderr).toBe(0)
    expect(good.stdout).toMatch(new RegExp(`^✓ server +answers at port ${server.port}$`, 'm'))
    const empty = await firsthand([
      'doctor',
      '--data-dir',
      join(folder(), 'none'),
      '--port',
      String(await freePort()),
      '--json',
    ])
    expect(empty.code).toBe(0)
    const findings = JSON.parse(empty.stdout) as { subject: string; status: string }[]
    expect(findings.map(({ subject, status }) => `${subject} ${status}`)).toEqual([
      'runtime ok',
      'data warning',
      'ledger warning',
      'server warning',
    ])
    const damaged = folder()
    execFileSync('sh', ['-c', 'yes damaged | head -c 20000 > "$0/ledger.sqlite"', damaged])
    const bad = await firsthand(['doctor', '--data-dir', damaged])
    expect(readdirSync(damaged)).toEqual(['ledger.sqlite'])
    expect(bad.code).toBe(1)
    expect(bad.stdout).toMatch(/^✗ ledger +The ledger .* is damaged/m)
  })

  it('setup-link: what the server printed, over restarts, until there is an owner; the log never has it', async () => {
    const own = folder()
    const nothing = await firsthand(['setup-link', '--data-dir', join(own, 'none')])
    expect(nothing).toMatchObject({ code: 1, stdout: '' })
    expect(nothing.stderr).toMatch(/^firsthand: there is nothing in .* yet\. Start the server first/)

    const first = await startFirsthand({ dataDir: own })
    const printedBy = (said: Firsthand): Promise<string> =>
      until('the link', () => Promise.resolve(/Set it up at (\S+)\n$/.exec(said.stdout())?.[1] ?? null))
    const printed = await printedBy(first)
    const again = await firsthand(['setup-link', '--data-dir', own])
    expect(again).toMatchObject({ code: 0, stdout: `${printed}\n` })
    const token = new URL(printed).hash.slice('#token='.length)
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(first.stderr()).toContain('this installation has no owner yet')
    expect(first.stderr()).not.toContain(token)
    const looked = await firsthand(['doctor', '--data-dir', own])
    expect(looked.stdout).toMatch(/^! owner +nobody owns this installation yet.*setup-link/m)
    expect(looked.stdout).not.toContain(token)
    await first.end('SIGTERM')

    const second = await startFirsthand({ dataDir: own, port: first.port })
    expect(await printedBy(second)).toBe(printed)
    // The command has the ledger and needs no token; with it the page's time is over.
    parse(await firsthand([...SETUP, '--data-dir', own, '--json']))
    const late = await fetch(`http://127.0.0.1:${second.port}/api/0/setup/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        setupToken: token,
        email: 'eve@example.com',
        password: 'orchid-lantern-42',
        organizationName: 'Eve',
        projectName: 'web',
        platform: '',
      }),
    })
    expect(late.status).toBe(409)
    expect(await firsthand(['setup-link', '--data-dir', own])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('has an owner already'),
    })
    await second.end('SIGTERM')
  })

  it('user reset-password: a new password that is printed once, beside the running server; sessions end', async () => {
    const origin = `http://127.0.0.1:${server.port}`
    const logIn = (password: string): Promise<Response> =>
      fetch(`${origin}/api/0/auth/login/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin },
        body: JSON.stringify({ email: OWNER.email, password }),
      })
    const before = await logIn(OWNER.password)
    expect(before.status).toBe(200)
    const cookie = before.headers.get('set-cookie')?.split(';')[0] ?? ''
    const who = async (): Promise<unknown> =>
      ((await (await fetch(`${origin}/api/0/auth/session/`, { headers: { cookie } })).json()) as { user: unknown }).user
    expect(await who()).not.toBeNull()

    const variables = { FIRSTHAND_DATA_DIR: dataDir }
    const ended = await firsthand(['user', 'reset-password', ` ${OWNER.email.toUpperCase()}`], variables)
    expect(ended.code, ended.stderr).toBe(0)
    expect(ended.stdout).toMatch(/^[a-z2-9]{5}(-[a-z2-9]{5}){3}\n$/)
    expect(ended.stderr).toContain('shown once')
    expect(await who()).toBeNull()
    expect((await logIn(OWNER.password)).status).toBe(400)
    expect((await logIn(ended.stdout.trim())).status).toBe(200)

    const nobody = await firsthand(['user', 'reset-password', 'nobody@example.com'], variables)
    expect(nobody).toMatchObject({ code: 1, stdout: '' })
    expect(nobody.stderr).toMatch(/^firsthand: nobody has an account/)
  })

  it('help names every command', async () => {
    for (const args of [[], ['--help']]) {
      const help = await firsthand(args)
      expect(help).toMatchObject({ code: 0, stderr: '' })
      for (const command of [
        'serve',
        'setup',
        'setup-link',
        'doctor',
        'token create',
        'user reset-password',
        'send',
        'repro',
      ])
        expect(help.stdout).toContain(`firsthand ${command}`)
    }
  })

  it.each([
    [['nothing']],
    [['serve', '--prot', '9000']],
    [['serve', 'twice']],
    [['setup', '--email', 'ann@example.com']],
    [['token', 'make']],
    [['user', 'reset-password']],
    [['user', 'remove', 'ann@example.com']],
    [['token', 'create', '--organization', 'acme', '--scopes', 'everything']],
    [['send']],
    [['send', '--dsn', 'not a dsn']],
    [['repro', 'd3cb139afef148c784d56d5ce20952f4']],
    [['repro', '--base-url', 'http://localhost:3000']],
  ])('wrong usage ends with 2 and a sentence: %j', async (args) => {
    const ended = await firsthand(args, { FIRSTHAND_DATA_DIR: dataDir })
    expect(ended, ended.stderr).toMatchObject({ code: 2, stdout: '' })
    expect(ended.stderr).toMatch(/^(firsthand: |Usage: )/)
    expect(ended.stderr).not.toMatch(/^\s+at /m)
  })

  it('serve: says where it listens, and stops by SIGTERM to the command', async () => {
    const port = await freePort()
    const child = spawn(node, [bin, 'serve', '--data-dir', folder(), '--port', String(port), '--host', '127.0.0.1'], {
      env: environmentOf(folder(), port),
      cwd: '/',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let stdout = ''
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
    let stderr = ''
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
    await until(
      'the line that it listens',
      () => Promise.resolve(stdout.includes('#token=') && stdout.endsWith('\n') ? true : null),
      60_000,
    )
    expect(stdout).toMatch(
      new RegExp(
        `^Firsthand listens at http://127\\.0\\.0\\.1:${port}\nNobody owns this installation yet\\. Set it up at http://127\\.0\\.0\\.1:${port}/setup#token=[\\w-]{43}\n$`,
      ),
    )
    child.kill('SIGTERM')
    const code = await until('its end', () => Promise.resolve(child.exitCode), 60_000)
    expect(code, stderr).toBe(0)
  })
})
