import { describe, expect, it } from 'vitest'
import { DEFAULT_PROJECT_SETTINGS } from '../../accounts/settings.ts'
import { filter } from '../../event/filter/index.ts'
import { group } from '../grouping/index.ts'
import { digestItem } from '../../event/normalise/digest-item.fixture.ts'
import { writeMinidump, type WrittenDump } from '../../event/minidump/minidump.fixture.ts'
import { normalise } from '../../event/normalise/index.ts'
import { scrub } from '../../event/scrub/index.ts'
import { expandEvent } from './event-items.ts'

const expand = expandEvent({ normalise, filter, scrub, group })

const expanded = (settings: typeof DEFAULT_PROJECT_SETTINGS, payload: unknown) => {
  const result = expand(digestItem(payload), { settings, siblings: [] })
  if (!result.ok) throw new Error('the event was dropped')
  return result.value
}

const exception = Array.from({ length: 50 }, () => ({ type: 'E', value: 'a'.repeat(8192) }))
const errorMessages = Array.from({ length: 200 }, (_, index) => `*${'a'.repeat(395)}b${index}`)

it('stores an event for which the rules of its project are too much, without the rest of them, and notes it', () => {
  const settings = {
    ...DEFAULT_PROJECT_SETTINGS,
    filters: { ...DEFAULT_PROJECT_SETTINGS.filters, errorMessages },
    grouping: { ...DEFAULT_PROJECT_SETTINGS.grouping, fingerprintRules: 'error.type:E -> all-of-them' },
  }
  const grouped = expanded(settings, { exception })
  expect(grouped.event.errors).toContainEqual(expect.objectContaining({ type: 'rules_skipped' }))
  const plain = expanded(DEFAULT_PROJECT_SETTINGS, { exception })
  expect(plain.event.errors).toEqual([])
  expect(grouped.grouping).toEqual(plain.grouping)
  // The same event ends the same way again, and an ordinary one beside it has its rule.
  expect(expanded(settings, { exception })).toEqual(grouped)
  const small = expanded(settings, { exception: [{ type: 'E', value: 'a' }] })
  expect(small.event.errors).toEqual([])
  expect(small.grouping).not.toEqual(plain.grouping)
})

it('keeps with the event what was cut out of it and scrubbed', () => {
  const { event } = expanded(DEFAULT_PROJECT_SETTINGS, { extra: { password: 'hunter2' } })
  expect(event._meta).toEqual({
    extra: { password: { '': { rem: [['@password:filter', 's', 0, 10]], len: 7 } } },
  })
})

describe('an event that came with a minidump', () => {
  const HERE = 0x5555_0000_0000n
  const THERE = 0x6666_0000_0000n
  const dumpAt = (begin: bigint, offset: bigint, more: Partial<NonNullable<WrittenDump['crash']>> = {}): Buffer =>
    writeMinidump({
      crash: { threadId: 4, code: 11, flags: 1, registers: { rip: begin + offset, rsp: 0n }, ...more },
      threads: [{ id: 4 }, { id: 5, registers: { rip: begin + 1n, rsp: 0n } }],
      modules: [{ begin, size: 0x10000, file: '/opt/Shop/bin/Shop' }],
    })
  const withDump = (payload: Uint8Array) => {
    const event = digestItem({
      platform: 'native',
      exception: { values: [{ type: 'Minidump', mechanism: { type: 'minidump' } }] },
    })
    const dump = digestItem(payload, { type: 'attachment' }).item
    const siblings = [event.item, { ...dump, header: { ...dump.header, attachmentType: 'event.minidump' } }]
    const result = expand(event, { settings: DEFAULT_PROJECT_SETTINGS, siblings })
    if (!result.ok) throw new Error('the event was dropped')
    return result.value
  }

  it('is one issue wherever its program was loaded, and another where it crashed elsewhere or otherwise', () => {
    const crash = withDump(dumpAt(HERE, 0x1234n))
    expect(crash.title).toMatchObject({ title: 'SIGSEGV / SEGV_MAPERR: Shop+0x1234', culprit: 'Shop+0x1234' })
    expect(crash.unhandled).toBe(true)
    expect(crash.event.errors).toEqual([])
    const { threads, debug_meta: meta, tags } = crash.event
    expect(threads?.values).toMatchObject([{ id: '4', crashed: true }, { id: '5' }])
    expect(meta).toMatchObject({ images: [{ code_file: '/opt/Shop/bin/Shop', image_addr: '0x555500000000' }] })
    expect(tags).toContainEqual(['os.name', 'Linux'])

    expect(withDump(dumpAt(THERE, 0x1234n)).grouping).toEqual(crash.grouping)
    expect(withDump(dumpAt(HERE, 0x1238n)).grouping).not.toEqual(crash.grouping)
    expect(withDump(dumpAt(HERE, 0x1234n, { flags: 2 })).grouping).not.toEqual(crash.grouping)
  })

  it('says of a jump to nowhere where it came from', () => {
    const stack = { begin: 0x7000n, words: [HERE + 0x77n] }
    const dump = writeMinidump({
      crash: { threadId: 4, code: 11, flags: 1, registers: { rip: 0n, rsp: stack.begin } },
      threads: [{ id: 4, stack }],
      modules: [{ begin: HERE, size: 0x10000, file: '/lib/libc.so.6' }],
    })
    expect(withDump(dump).title).toMatchObject({
      title: 'SIGSEGV / SEGV_MAPERR: libc.so.6+0x77',
      culprit: 'libc.so.6+0x77',
    })
  })

  it('groups by reason, library and offset alone: not by its folder, who called, the address it read, or where it jumped', () => {
    const LIBC = { begin: 0x7f00_0000_0000n, size: 0x10000, file: '/lib/libc.so.6' }
    const crashOf = (
      begin: bigint,
      { folder = '/opt/Shop/', words = [0n], address = 0x10n, rip = begin + 0x1234n, file = 'Shop' },
    ) =>
      withDump(
        writeMinidump({
          crash: { threadId: 4, code: 11, flags: 1, address, registers: { rip, rsp: 0x7000n } },
          threads: [{ id: 4, stack: { begin: 0x7000n, words } }],
          modules: [{ begin, size: 0x10000, file: `${folder}${file}` }, LIBC],
        }),
      ).grouping
    const crash = crashOf(HERE, {})
    expect(crashOf(THERE, { folder: '/home/ann/.local/Shop/' })).toEqual(crash)
    expect(crashOf(THERE, { words: [THERE + 0x99n, LIBC.begin + 0x5n] })).toEqual(crash)
    expect(crashOf(THERE, { address: 0xdead_0000n })).toEqual(crash)
    expect(crashOf(HERE, { file: 'Till' })).not.toEqual(crash)

    const jump = crashOf(HERE, { rip: 0n, words: [HERE + 0x77n] })
    expect(crashOf(THERE, { rip: 0x41414141n, words: [THERE + 0x77n, LIBC.begin] })).toEqual(jump)
    expect(crashOf(HERE, { rip: 0n, words: [HERE + 0x78n] })).not.toEqual(jump)
  })

  it('is as it was sent, with a note, when nobody can read the dump', () => {
    const { event, title } = withDump(Buffer.from('MDMP, or so it says'))
    expect(title.title).toBe('Minidump')
    expect(event.errors).toEqual([expect.objectContaining({ type: 'invalid_data', name: 'minidump' })])
  })
})

it.each([
  ['overlapping ranges', { stackTraceRules: `function:* ${'^-app '.repeat(3300)}` }],
  ['many families', { stackTraceRules: `family:${'a,'.repeat(9900)} -app` }],
  ['paths of many stars', { stackTraceRules: 'path:**a*a*a*a*b +app\n'.repeat(500) }],
  ['many variables', { fingerprintRules: `level:error -> ${'{{ message }},'.repeat(1400)}` }],
])('a stack of 50 times 250 frames under %s ends with a note, not in a second', (_, rules) => {
  const frames = Array.from({ length: 250 }, () => ({ function: 'f', abs_path: 'a'.repeat(60) }))
  const settings = {
    ...DEFAULT_PROJECT_SETTINGS,
    grouping: { ...DEFAULT_PROJECT_SETTINGS.grouping, ...rules },
  }
  const payload = { message: 'm'.repeat(8192), exception: exception.map((one) => ({ ...one, stacktrace: { frames } })) }
  const grouped = expanded(settings, payload)
  const noted = grouped.event.errors.some((note) => note.type === 'rules_skipped')
  // A list of families is looked up at once, however long it is.
  expect(noted).toBe(!('stackTraceRules' in rules && rules.stackTraceRules.startsWith('family')))
})
