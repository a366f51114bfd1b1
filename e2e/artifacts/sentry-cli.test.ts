import { build as bundle } from 'esbuild'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import vm from 'node:vm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiOf } from '../lib/api.ts'
import { errorEvent, newEventId, sendEvents } from '../lib/send.ts'
import { installProgram, makeRepository, runProgram, type Ended } from '../lib/programs.ts'
import { joinServer, type SharedServer } from '../lib/shared.ts'
import { until } from '../lib/until.ts'

/** The real sentry-cli uploads source maps. */

const ORGANIZATION = 'artifacts-cli'
const VERSIONS = ['2.58.6', '3.8.0']

let server: SharedServer
let folder: string
/** With one commit. */
let repository: string

const programs = new Map<string, string>()

const cli = (
  version: string,
  args: readonly string[],
  cwd: string,
  token: string = server.account.token,
): Promise<Ended> =>
  runProgram(programs.get(version) ?? '', args, {
    cwd,
    env: {
      ...process.env,
      SENTRY_URL: `http://127.0.0.1:${server.port}/`,
      SENTRY_ORG: ORGANIZATION,
      SENTRY_PROJECT: 'shop',
      SENTRY_AUTH_TOKEN: token,
    },
  })

/** What a bundler writes: one file, its map, and a line that says so. */
const writeBuild = (name: string): string => {
  const build = join(folder, name)
  mkdirSync(build, { recursive: true })
  writeFileSync(join(build, 'app.js'), `!function(){throw Error("${name}")}();\n//# sourceMappingURL=app.js.map\n`)
  const map = { version: 3, file: 'app.js', sources: ['app.ts'], names: [], mappings: 'AAAA', sourcesContent: [name] }
  writeFileSync(join(build, 'app.js.map'), JSON.stringify(map))
  return build
}

const get = async <Body>(path: string): Promise<Body> => {
  const answer = await fetch(`http://127.0.0.1:${server.port}/api/0/projects/${ORGANIZATION}/shop/${path}`, {
    headers: { authorization: `Bearer ${server.account.token}` },
  })
  expect(answer.status, path).toBe(200)
  return (await answer.json()) as Body
}

const expectDone = ({ status, stdout, stderr }: Ended): void => {
  expect(status, `${stdout}\n${stderr}`).toBe(0)
  expect(stderr).not.toMatch(/error/i)
}

beforeAll(async () => {
  server = await joinServer(ORGANIZATION)
  folder = mkdtempSync(join(tmpdir(), 'firsthand-cli-'))
  repository = join(folder, 'shop')
  await makeRepository(repository)
  for (const version of VERSIONS)
    programs.set(version, await installProgram(folder, '@sentry/cli', version, 'sentry-cli'))
}, 180_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.each(VERSIONS)('sentry-cli %s', (version) => {
  it('L3, L4: uploads source maps without a complaint, with and without waiting', async () => {
    const build = writeBuild(`build-${version}`)
    expectDone(await cli(version, ['sourcemaps', 'inject', build], folder))
    const release = `cli@${version}`
    expectDone(await cli(version, ['sourcemaps', 'upload', '--release', release, build], folder))
    expectDone(await cli(version, ['sourcemaps', 'upload', '--wait', '--release', `${release}-waited`, build], folder))
    const bundles = await get<{ associations: { release: string }[]; state: string; bundleId: string }[]>(
      `files/artifact-bundles/?query=${encodeURIComponent(release)}`,
    )
    expect(bundles.map(({ associations, state }) => [associations[0]?.release, state])).toEqual([
      [`${release}-waited`, 'ok'],
      [release, 'ok'],
    ])
    const { files } = await get<{ files: { filePath: string; fileType: string; debugId: string }[] }>(
      `artifact-bundles/${bundles[0]?.bundleId}/files/`,
    )
    expect(files.map(({ filePath, fileType }) => [filePath, fileType])).toEqual([
      ['~/app.js', 'minified_source'],
      ['~/app.js.map', 'source_map'],
    ])
    expect(new Set(files.map(({ debugId }) => debugId)).size).toBe(1)
    expect(files[0]?.debugId).toMatch(/^[0-9a-f]{32}$/)
  })

  it('L46: shifts the lines of a file by what it puts into it, and frames are those of the source', async () => {
    const build = join(folder, `shifted-${version}`)
    mkdirSync(build)
    const source = `// The first line.\nexport const pay = (total: number): void => {\n  throw new RangeError(\`no \${total}\`)\n}\n;(globalThis as { pay?: unknown }).pay = pay\n`
    writeFileSync(join(build, 'pay.ts'), source)
    await bundle({
      absWorkingDir: build,
      entryPoints: ['pay.ts'],
      outfile: 'out/pay.js',
      banner: { js: '"use strict";' },
      bundle: true,
      minify: true,
      sourcemap: true,
      format: 'iife',
      logLevel: 'silent',
    })
    const out = join(build, 'out')
    expectDone(await cli(version, ['sourcemaps', 'inject', out], folder))
    expectDone(await cli(version, ['sourcemaps', 'upload', out], folder))

    const code = readFileSync(join(out, 'pay.js'), 'utf8')
    const url = `https://shop.example/${version}/pay.js`
    const page = vm.createContext({})
    vm.runInContext(code, page, { filename: url })
    const stack = vm.runInContext('try { pay(7) } catch (error) { error.stack }', page) as string
    const [, lineno, colno] = /pay\.js:(\d+):(\d+)/.exec(stack) ?? []
    // Below what was put in.
    expect(Number(lineno)).toBeGreaterThan(1)
    const message = `thrown below what ${version} put in`
    const frame = { filename: url, abs_path: url, function: 't', lineno: Number(lineno), colno: Number(colno) }
    const debugId = /debugId=([0-9a-f-]{36})/.exec(code)?.[1]
    await sendEvents(server.account.dsn, [
      errorEvent('RangeError', message, {
        event_id: newEventId(),
        platform: 'javascript',
        frames: [{ ...frame, in_app: true }],
        debug_meta: { images: [{ type: 'sourcemap', code_file: url, debug_id: debugId }] },
      }),
    ])
    const api = apiOf(server)
    const issue = await api.issue(message)
    const mapped = await until('the frame is that of the source', async () => {
      const event = await api.latestEvent(issue.id, message)
      const entry = event.entries.find(({ type }) => type === 'exception')?.data as {
        values: { stacktrace: { frames: { filename: string }[] }; rawStacktrace: unknown }[]
      }
      return entry.values[0]?.rawStacktrace ? entry.values[0].stacktrace.frames[0] : null
    })
    expect(mapped).toMatchObject({
      filename: expect.stringContaining('pay.ts'),
      function: 'pay',
      lineNo: 3,
      colNo: '  throw '.length + 1,
    })
  })

  it('needs no more of a token than that it is for builds, and says so', async () => {
    const made = await fetch(`http://127.0.0.1:${server.port}/api/0/organizations/${ORGANIZATION}/api-tokens/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.account.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'build', scopes: ['org:ci'] }),
    })
    const { token } = (await made.json()) as { token: string }
    const ofBuild = (...args: readonly string[]): Promise<Ended> => cli(version, args, repository, token)
    const about = await ofBuild('info')
    expectDone(about)
    expect(about.stdout).toContain('org:ci')
    const release = `build-token@${version}`
    expectDone(await ofBuild('releases', 'new', release))
    expectDone(await ofBuild('releases', 'set-commits', release, '--local'))
    expectDone(await ofBuild('sourcemaps', 'upload', '--release', release, writeBuild(`token-${version}`)))
    expectDone(await ofBuild('releases', 'finalize', release))
    expectDone(await ofBuild('deploys', 'new', '--release', release, '--env', 'production'))
    expect((await ofBuild('releases', 'delete', release)).status).toBe(1)
    expect((await ofBuild('issues', 'list')).status).toBe(1)
    // Whoever sends commits afterwards would have only those since these.
    expectDone(await cli(version, ['releases', 'delete', release], repository))
  })

  it('says what is wrong with the project that it names, and ends with an error', async () => {
    const build = writeBuild(`wrong-${version}`)
    const { status, stderr, stdout } = await cli(
      version,
      ['sourcemaps', 'upload', '--project', 'no-such', '--release', 'x@1', build],
      folder,
    )
    expect(status).toBe(1)
    expect(stdout + stderr).toContain('One or more projects are invalid')
  })

  it('L70, L71, L73, L75: makes, fills, finishes, deploys, archives, restores and deletes releases', async () => {
    const release = `tea+${version}@1.0.0+7`
    const done = async (...args: string[]): Promise<string> => {
      const ended = await cli(version, args, repository)
      expectDone(ended)
      return ended.stdout
    }
    await done('releases', 'new', release, '--url', 'https://shop.example/')
    await done('releases', 'new', release)
    await done('releases', 'set-commits', release, '--local', '--initial-depth', '5')
    await done('releases', 'set-commits', release, '--auto', '--ignore-missing')
    await done('releases', 'finalize', release)
    await done('deploys', '--release', release, 'new', '--env', 'production', '--name', 'first')
    expect(await done('deploys', '--release', release, 'list')).toContain('production')
    expect(await done('releases', 'list')).toContain('1.0.0')
    expect(await done('releases', 'info', release, '--show-commits')).toMatch(/[0-9a-f]{40}/)
    await done('releases', 'archive', release)
    await done('releases', 'restore', release)
    const path = `releases/${encodeURIComponent(release)}/`
    expect(await get(path)).toMatchObject({
      version: release,
      status: 'open',
      url: 'https://shop.example/',
      dateReleased: expect.any(String),
      commitCount: 1,
      authors: [{ name: 'Ada', email: 'ada@shop.example' }],
      deployCount: 1,
      lastDeploy: { environment: 'production', name: 'first' },
    })
    await done('releases', 'delete', release)
    const gone = await cli(version, ['releases', 'info', release], repository)
    expect(gone.status).toBe(1)
  })

  it('lists repositories, projects and organisations', async () => {
    for (const kind of ['repos', 'projects', 'organizations']) {
      const ended = await cli(version, [kind, 'list'], folder)
      expectDone(ended)
      expect(ended.stdout).not.toBe('')
    }
  })
})
