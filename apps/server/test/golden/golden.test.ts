import { readdirSync, readFileSync } from 'node:fs'
import { parseEnvelope, type EnvelopeHeader, type Item } from '@firsthand/protocol'
import { describe, expect, it } from 'vitest'
import { DEFAULT_PROJECT_SETTINGS } from '../../src/accounts/settings.ts'
import type { DigestItem } from '../../src/ingest/road.ts'
import { normalise } from '../../src/event/normalise/index.ts'
import { scrub } from '../../src/event/scrub/index.ts'
import { LIMITS } from '../../src/ingest/limits.ts'

/**
 * Recorded envelopes of real SDKs, normalised and scrubbed with a fixed clock and sender. After a wanted change, write
 * the expected results anew with `npx vitest run apps/server/test/golden -u` and read the difference.
 */
const ENVELOPES = new URL('../../../../fixtures/envelopes/', import.meta.url)
/** The clock stands just after the recording was sent, so that nothing is corrected that was right. */
const TRANSIT_MS = 20
const RECORDED_AT = Date.parse('2026-11-20T22:23:00.000Z')

const names = readdirSync(ENVELOPES, { recursive: true, encoding: 'utf8' })
  .filter((path) => /(?:^|[\\/])[^\\/]*event\.envelope$/.test(path) && !path.includes('replay_event'))
  .sort()

const digestItem = (header: EnvelopeHeader, item: Item): DigestItem => ({
  sender: {
    organizationId: 1,
    projectId: 42,
    keyId: 1,
    clientAddress: '203.0.113.9',
    userAgent: null,
    origin: null,
    sdk: '',
  },
  receivedAt: (header.sentAt ?? RECORDED_AT) + TRANSIT_MS,
  header,
  eventId: header.eventId,
  item,
})

describe('golden events', () => {
  it('finds the recordings', () => {
    expect(names.length).toBeGreaterThan(10)
  })

  it.each(names)('%s', async (name) => {
    const envelope = parseEnvelope(readFileSync(new URL(name, ENVELOPES)), {
      maxItems: LIMITS.ITEMS_PER_ENVELOPE,
    })
    if (!envelope.ok) throw new Error(`The fixture ${name} is no envelope.`)
    const item = envelope.value.items.find(({ header }) => header.type === 'event')
    if (item === undefined) throw new Error(`The fixture ${name} holds no event.`)
    const event = normalise({ item: digestItem(envelope.value.header, item) }, DEFAULT_PROJECT_SETTINGS)
    if (!event.ok) throw new Error(`${name}: ${event.error.detail}`)
    const json = `${JSON.stringify(scrub(event.value, DEFAULT_PROJECT_SETTINGS), null, 2)}\n`
    await expect(json).toMatchFileSnapshot(`./${name.replaceAll(/[\\/]/g, '-').replace('.envelope', '.expected.json')}`)
  })
})
