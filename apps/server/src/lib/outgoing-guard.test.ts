import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createOutgoing, explainFailure, type OutgoingCall } from './outgoing.ts'

const CALL: OutgoingCall = { method: 'POST', body: '{}', timeoutMs: 5000, maxBytes: 1000, maxRedirects: 0, cut: true }
const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

const listen = async (answer: Parameters<typeof createServer>[1]): Promise<number> => {
  const server = createServer(answer)
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening)
  })
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** Loopback, private, shared, link-local, metadata, and every way to write them. */
const INNER = [
  '127.0.0.1',
  'localhost',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.0.1',
  '100.64.0.1',
  '169.254.1.1',
  '169.254.169.254',
  '168.63.129.16',
  '100.100.100.200',
  '0.0.0.0',
  '[::1]',
  '[fe80::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[::ffff:127.0.0.1]',
  '[::ffff:a9fe:a9fe]',
  '[64:ff9b::a9fe:a9fe]',
  '[2002:7f00:1::]',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '0x7f.1',
  '127.1',
  '１２７.０.０.１',
  '①②⑦.0.0.1',
  '%31%32%37.0.0.1',
]

describe('calls to others', () => {
  it('A56: reach nothing inside of a network, however it is written: when it is entered, and when it is called', async () => {
    const { judge, send } = createOutgoing({ allowedRanges: [] })
    for (const host of INNER) {
      const url = `http://${host}/hook`
      const judged = await judge(url, { timeoutMs: 5000 })
      const sent = await send(url, CALL)
      expect({ host, judged: judged.ok || judged.error.why, sent: sent.ok || sent.error.why }).toEqual({
        host,
        judged: 'private_address',
        sent: 'private_address',
      })
    }
    for (const url of ['ftp://x.example/', 'file:///etc/passwd', 'https://a:b@x.example/', 'x']) {
      expect(await judge(url, { timeoutMs: 5000 })).toMatchObject({ ok: false, error: { why: 'no_web_address' } })
    }
  })

  it('A57: are refused where a name was public when it was entered, and is private when it is called', async () => {
    const answers = [['93.184.216.34'], ['10.0.0.1'], ['93.184.216.34', '169.254.169.254']]
    const { judge, send } = createOutgoing({
      allowedRanges: [],
      resolve: async () => answers.shift() ?? [],
    })
    expect(await judge('https://turning.test/', { timeoutMs: 5000 })).toMatchObject({ ok: true })
    expect(await send('https://turning.test/', CALL)).toMatchObject({ ok: false, error: { address: '10.0.0.1' } })
    expect(await send('https://turning.test/', CALL)).toMatchObject({
      ok: false,
      error: { address: '169.254.169.254' },
    })
  })

  it('A58: follow nobody who leads them elsewhere', async () => {
    let requests = 0
    const port = await listen((_, response) => {
      requests += 1
      response.writeHead(307, { location: `http://127.0.0.1:${port}/elsewhere` }).end()
    })
    const { send } = createOutgoing({ allowedRanges: ['127.0.0.1'] })
    const answer = await send(`http://127.0.0.1:${port}/`, CALL)
    expect([answer.ok && answer.value.status, requests]).toEqual([307, 1])
  })

  it('A58: leave behind what says who asks when another side leads to a third', async () => {
    const seen: (string | undefined)[] = []
    const third = await listen((request, response) => {
      seen.push(request.headers.authorization)
      response.end()
    })
    const first = await listen((request, response) => {
      seen.push(request.headers.authorization)
      response.writeHead(302, { location: `http://127.0.0.1:${third}/` }).end()
    })
    const { send } = createOutgoing({ allowedRanges: ['127.0.0.1'] })
    await send(`http://127.0.0.1:${first}/`, {
      method: 'GET',
      headers: { authorization: 'Bearer x' },
      timeoutMs: 5000,
      maxBytes: 1000,
      maxRedirects: 3,
    })
    expect(seen).toEqual(['Bearer x', undefined])
  })

  it('A59: reach exactly what the operator opened; what is refused names the setting, the host and the address', async () => {
    const port = await listen((request, response) => {
      const pieces: Buffer[] = []
      request.on('data', (piece: Buffer) => pieces.push(piece))
      request.on('end', () => response.end(`${request.method} ${Buffer.concat(pieces).toString()}`))
    })
    const { send, judge } = createOutgoing({
      allowedRanges: ['127.0.0.0/30', '10.0.0.0/8', '169.254.0.0/16'],
      resolve: async () => ['192.168.7.7'],
    })
    const answer = await send(`http://127.0.0.1:${port}/`, CALL)
    expect(answer.ok && [Buffer.from(answer.value.bytes).toString(), answer.value.address]).toEqual([
      'POST {}',
      '127.0.0.1',
    ])
    const judged = async (host: string): Promise<boolean> => (await judge(`http://${host}/`, { timeoutMs: 5000 })).ok
    expect([await judged('127.0.0.3'), await judged('127.0.0.4'), await judged('10.9.9.9')]).toEqual([
      true,
      false,
      true,
    ])
    // A cloud's secrets are opened by their own address alone.
    expect([await judged('169.254.1.1'), await judged('169.254.169.254')]).toEqual([true, false])
    const exact = createOutgoing({ allowedRanges: ['169.254.169.254'] })
    expect((await exact.judge('http://169.254.169.254/', { timeoutMs: 5000 })).ok).toBe(true)
    const refused = await send('http://inner.test/', CALL)
    const sentence = refused.ok ? '' : explainFailure(refused.error)
    expect(sentence).toContain('inner.test (192.168.7.7)')
    expect(sentence).toContain('FIRSTHAND_REACHABLE_RANGES')
  })

  it('A60: are made by nobody but this file, and by those who call what the operator named', () => {
    const root = join(import.meta.dirname, '..')
    const allowed: Readonly<Record<string, string>> = {
      'lib/outgoing.ts': 'the guard itself',
      'diagnose.ts': 'asks this server whether it is well',
      'mail/mailer.ts': 'the mail server that the operator named',
      'storage/blobs/s3-requests.ts': 'the bucket that the operator named',
      'storage/ledger/ledger.ts': 'the database that the operator named',
      'storage/telemetry/telemetry.ts': 'the ClickHouse that the operator named, or our own engine',
      'storage/telemetry/engine/ping.ts': 'our own engine, by its socket',
    }
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !/\.(?:test|fixture)\.ts$|(?:^|\/)test[/-]|conformance\//.test(file))
      .map((file) => relative(root, join(root, file)))
    const calling = files.filter((file) => {
      const code = readFileSync(join(root, file), 'utf8')
      const imports =
        /^import (?!type)[^;]*?from '(?:node:(?:https?2?|net|tls|dgram)|undici|nodemailer|pg|aws4fetch|axios)'/gm
      const opens = [...code.matchAll(imports)].some(([line]) =>
        /\b(?:request|requestPlain|get|connect|createConnection|createTransport|Agent|Socket|AwsClient|Pool)\b/.test(
          line,
        ),
      )
      const fetches = /(?<![.\w`'"$]|async |=> )fetch\((?!request\b|address\b)/.test(code)
      return opens || fetches || /await import\('(?:pg|undici|node:https?)'\)/.test(code)
    })
    expect(new Set(calling)).toEqual(new Set(Object.keys(allowed)))
  })
})
