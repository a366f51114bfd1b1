/**
 * Records a visit of the demo shop that ends with an order that fails and a report about it, for `npm run demo` to begin with:
 * `npm run build && node e2e/replays/record-demo.ts` writes apps/demo/src/server/seed-replay.jsonl. Run it again when the shop
 * looks different.
 */
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import { parseEnvelope } from '@firsthand/protocol'
import { startShop } from '../../apps/demo/src/server/shop-server.ts'
import { launchBrowser } from '../lib/browser.ts'

const FILE = join(import.meta.dirname, '..', '..', 'apps', 'demo', 'src', 'server', 'seed-replay.jsonl')
const MESSAGE =
  'I tried to buy the moon teapot three times now. The button says “One moment…”, then a red box. Was my card charged?'
/** The recorder sends a segment every five seconds; the last one must have come. */
const LAST_SEGMENT_MS = 7000

interface Sent {
  readonly type: string
  readonly header: object
  readonly payload: Uint8Array
}

const envelopes: Sent[][] = []
const listener = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const parsed = parseEnvelope(new Uint8Array(Buffer.concat(chunks)))
    if (parsed.ok)
      envelopes.push(
        parsed.value.items.map(({ header, payload }) => ({ type: header.type, header: header.raw, payload })),
      )
    response.end('{}')
  })
})
await new Promise<void>((resolve) => {
  listener.listen(0, '127.0.0.1', resolve)
})
const { port } = listener.address() as AddressInfo
const shop = await startShop({
  dsn: `http://${'a'.repeat(32)}@127.0.0.1:${port}/1`,
  consoleUrl: null,
  port: 0,
  host: '127.0.0.1',
})
const browser = await launchBrowser()
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
/** As long as a person looks. */
const look = (milliseconds: number): Promise<void> => page.waitForTimeout(milliseconds)

await page.goto(shop.url)
await look(1500)
await page.mouse.move(400, 300, { steps: 12 })
await page.getByRole('link', { name: 'Moon teapot' }).first().click()
await look(2500)
await page.getByRole('button', { name: 'Add to basket' }).click()
await look(1200)
await page.getByRole('link', { name: 'Go there' }).click()
await look(1500)
await page.getByRole('link', { name: 'Go to checkout' }).click()
await look(2500)
await page.getByRole('button', { name: 'Pay €120.00' }).click()
await page.getByRole('alert').waitFor()
await look(3000)
await page.getByRole('button', { name: 'Try again' }).click()
await page.getByRole('alert').waitFor()
await look(2000)
await page.getByRole('button', { name: 'Tell us what happened' }).click()
await page.locator('firsthand-feedback [name=message]').pressSequentially(MESSAGE, { delay: 25 })
await page.locator('firsthand-feedback button[type=submit]').click()
await page.locator('firsthand-feedback .banner').waitFor()
await look(LAST_SEGMENT_MS)
await browser.close()
await shop.close()
listener.close()

const sent = envelopes.flat()
const json = (bytes: Uint8Array): Record<string, unknown> => JSON.parse(Buffer.from(bytes).toString()) as never
const eventsOf = (recording: Uint8Array): unknown => {
  const body = recording.subarray(recording.indexOf(0x0a) + 1)
  return JSON.parse((body[0] === 0x5b ? Buffer.from(body) : inflateSync(body)).toString())
}
const payloadOf = ({ type, payload }: Pick<Sent, 'type' | 'payload'>): unknown =>
  type === 'replay_recording' ? eventsOf(payload) : json(payload)
const first = (type: string): Record<string, unknown> => {
  const item = sent.find((one) => one.type === type)
  if (item === undefined) throw new Error(`The shop sent no ${type}.`)
  return json(item.payload)
}
const error = first('event')
const report = first('feedback')
const about = {
  replayId: first('replay_event')['replay_id'],
  error: {
    id: error['event_id'],
    at: error['timestamp'],
    trace: (error['contexts'] as Record<string, unknown>)['trace'],
  },
  report: { id: report['event_id'], at: report['timestamp'] },
}
// The error and the report are those of the seed, which have a story of their own.
const kept = envelopes.filter((items) => !items.some(({ type }) => type === 'event' || type === 'feedback'))
const lines = [about, ...kept.map((items) => items.map(({ header, ...item }) => [header, payloadOf(item)]))]
const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
writeFileSync(FILE, text.replaceAll(shop.url, 'https://kettle.example').replaceAll('HeadlessChrome', 'Chrome'))
process.stdout.write(
  `${kept.length} envelopes: ${kept
    .flat()
    .map(({ type }) => type)
    .join(' ')}\n`,
)
