import { gzipSync } from 'node:zlib'
import { envelopeSteps, serializeEnvelope } from '@firsthand/protocol'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { joinSteps, type Steps } from '../../lib/sliced-work.ts'
import { LIMITS } from '../limits.ts'
import { crcSteps, encodeRecord } from '../spool/record-format.ts'
import { REPORT_FORMS } from '../../feedback/user-report-forms.ts'
import { admitSteps } from './admit.ts'
import { EVENT_ID, ITEM_RULES, KEY, startDoor, type TestDoor } from './test-door.ts'

const MB = 1024 * 1024
const TURN = LIMITS.DOOR_TURN_BYTES

let door: TestDoor
/** Counts turns of the event loop from when the first line of a body is read, which is when this bound is asked for. */
let countFromHere: (() => number) | null = null
const limits = { ...LIMITS, INFLATE_RATIO: 1_000_000 }
beforeAll(async () => {
  Object.defineProperty(limits, 'HEADER_LINE_BYTES', {
    get: () => {
      countFromHere ??= countTurns()
      return LIMITS.HEADER_LINE_BYTES
    },
  })
  door = await startDoor({ limits })
})
afterAll(() => door.close())
beforeEach(() => {
  door.reset()
  countFromHere = null
})

/** Turns of the event loop from now on. */
const countTurns = () => {
  let turns = 0
  let immediate = setImmediate(function next() {
    turns++
    immediate = setImmediate(next)
  })
  return () => {
    clearImmediate(immediate)
    return turns
  }
}

const stepsOf = <Value>(steps: Steps<Value>): { readonly count: number; readonly value: Value } => {
  let count = 1
  for (;;) {
    const step = steps.next()
    if (step.done === true) return { count, value: step.value }
    count++
  }
}

const session = Buffer.from(`{"init":true,"a":[${'1,'.repeat(450_000)}1]}`)
const sessions = (count: number) =>
  serializeEnvelope(
    {},
    Array.from({ length: count }, () => ({ header: { type: 'session' }, payload: session })),
  )

describe('a large body', () => {
  // The wire takes 20 MB; these come to the door inflated.
  it.each([
    ['of line feeds', Buffer.concat([Buffer.from('{}\n'), Buffer.alloc(8 * MB, '\n')])],
    ['of sessions that must be read as JSON', sessions(8)],
    ['that is written anew because it has no event id', sessionsAndFeedback()],
  ])('%s leaves others their turns', async (_, body) => {
    const headers = { 'content-encoding': 'gzip' }
    const answer = await door.send(`/api/42/envelope/?sentry_key=${KEY}`, { body: gzipSync(body), headers })
    expect(answer.status).toBe(200)
    // On the average fewer bytes than two turns may have, where a single one would have had them all.
    expect(countFromHere?.()).toBeGreaterThan(body.byteLength / (8 * TURN))
  })

  it('is split, judged, joined and summed up in steps of a bounded size', () => {
    const blank = Buffer.concat([Buffer.from('{}\n'), Buffer.alloc(8 * MB, '\n')])
    expect(stepsOf(envelopeSteps(blank, {}, TURN)).count).toBeGreaterThanOrEqual((8 * MB) / TURN)
    expect(stepsOf(envelopeSteps(Buffer.from('{}\n{"type":"event"}\n{}'), {}, TURN)).count).toBe(1)

    const envelope = stepsOf(envelopeSteps(sessions(4), {}, TURN)).value
    if (!envelope.ok) throw new Error(envelope.error.message)
    const admission = stepsOf(
      admitSteps({ envelope: envelope.value, received: null }, { limits: LIMITS, rules: ITEM_RULES }, () => EVENT_ID),
    )
    // Each item is larger than a turn, so each has one of its own.
    expect(admission.count).toBe(4)
    expect(admission.value).toMatchObject({ ok: true, value: { dropped: [] } })

    const json = Buffer.from(`{"a":[${'[1],'.repeat(MB)}1]}`)

    const pieces = [json.subarray(0, 3), json.subarray(3, 2 * MB), json.subarray(2 * MB)]
    const joined = stepsOf(joinSteps(pieces, json.byteLength, TURN))
    expect(joined.count).toBeGreaterThan(json.byteLength / TURN - 1)
    expect(joined.value.equals(json)).toBe(true)

    const sum = stepsOf(crcSteps(json, TURN))
    expect(sum.count).toBe(Math.ceil(json.byteLength / TURN))
    const sender = {
      organizationId: 1,
      projectId: 1,
      keyId: 1,
      clientAddress: null,
      userAgent: null,
      origin: null,
      sdk: '',
    }
    const record = { kind: 'envelope' as const, receivedAt: 0, sender, body: json }
    expect(encodeRecord(record, 1, sum.value)).toEqual(encodeRecord(record, 1))
  })

  it('of a report is refused before it is parsed', () => {
    const body = Buffer.alloc(4 * MB, ' ')
    for (const form of REPORT_FORMS) {
      expect(form.read(body, `?eventId=${EVENT_ID}`, LIMITS)).toMatchObject({ ok: false, error: { status: 413 } })
    }
  })

  it.each([
    ['a check-in', `/api/42/cron/job/${KEY}/?status=ok`, 'application/json'],
    ['an event', `/api/42/store/?sentry_key=${KEY}`, 'application/json'],
  ])('of %s is refused before it is parsed', async (_, path, type) => {
    const answer = await door.send(path, {
      body: Buffer.alloc(4 * MB, ' '),
      headers: { 'content-type': type },
    })
    expect(answer.status).toBe(413)
  })
})

function sessionsAndFeedback(): Uint8Array {
  const items = Array.from({ length: 8 }, () => ({ header: { type: 'attachment' }, payload: Buffer.alloc(MB, 'a') }))
  return serializeEnvelope({}, [{ header: { type: 'event' }, payload: Buffer.from('{}') }, ...items])
}
