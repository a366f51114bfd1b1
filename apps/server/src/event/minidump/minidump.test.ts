import fc from 'fast-check'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { LIMITS } from '../limits.ts'
import { MinidumpFault } from './dump-bytes.ts'
import { openDump, readMinidump, withMinidump, type Minidump } from './index.ts'
import {
  AMD64,
  ARM64,
  buildId,
  LINUX,
  MACOS,
  pdb,
  WINDOWS,
  writeMinidump,
  X86,
  type WrittenDump,
} from './minidump.fixture.ts'

const SHOP = { begin: 0x400000n, size: 0x10000, file: '/opt/shop/bin/shop' }
const LIBC = { begin: 0x7f0000000000n, size: 0x200000, file: '/lib/x86_64-linux-gnu/libc.so.6' }
const STACK = 0x7ffe0000n

/** A program on Linux that wrote to nowhere in a function that `main` called. */
const CRASH: WrittenDump = {
  timestamp: 1_700_000_000,
  build: 'Linux 6.1.0 x86_64',
  crash: {
    threadId: 7,
    code: 11,
    flags: 1,
    address: 0x10n,
    registers: { rip: SHOP.begin + 0x1234n, rsp: STACK, rbp: STACK + 16n },
  },
  threads: [
    { id: 3, registers: { rip: LIBC.begin + 0x99n, rsp: 5n } },
    {
      id: 7,
      registers: { rip: 1n },
      stack: {
        begin: STACK,
        // A frame pointer, behind it the caller; then what only a search finds.
        words: [1n, 2n, STACK + 64n, SHOP.begin + 0x2000n, 3n, LIBC.begin + 0x500n, 4n, 5n, 0n, 0n],
      },
    },
  ],
  names: new Map([[7, 'checkout']]),
  modules: [LIBC, { ...SHOP, symbols: buildId('0102030405060708090a0b0c0d0e0f1011121314') }],
}

const read = (dump: WrittenDump): Minidump => {
  const result = readMinidump(writeMinidump(dump))
  if (!result.ok) throw result.error
  return result.value
}

interface Shown {
  readonly exception: {
    readonly values: readonly {
      readonly type: string
      readonly value: string
      readonly thread_id?: string
      readonly mechanism: { readonly data: object; readonly meta?: object; readonly type: string }
      readonly stacktrace?: { readonly frames: readonly object[]; readonly registers: Readonly<Record<string, string>> }
    }[]
  }
  readonly threads: { readonly values: readonly { readonly id: number }[] }
  readonly debug_meta: { readonly images: readonly object[] }
  readonly contexts: object
  readonly timestamp?: number
}

const show = (dump: WrittenDump, sent: Record<string, unknown> = {}): Shown =>
  withMinidump(sent, read(dump)) as unknown as Shown

const titleOf = (dump: WrittenDump): string => {
  const exception = show(dump).exception.values[0]
  return `${exception?.type}: ${exception?.value}`
}

describe('an event with a minidump', () => {
  it('says what crashed and where in it, whatever address it was loaded at', () => {
    const [exception] = show(CRASH).exception.values
    expect(exception).toMatchObject({
      type: 'SIGSEGV / SEGV_MAPERR',
      value: 'shop+0x1234',
      thread_id: '7',
      mechanism: {
        type: 'minidump',
        handled: false,
        data: { code: '0xb', address: '0x10' },
        meta: { signal: { number: 11, code: 1, name: 'SIGSEGV', code_name: 'SEGV_MAPERR' } },
      },
      stacktrace: {
        frames: [{ instruction_addr: '0x401234', image_addr: '0x400000', package: SHOP.file, trust: 'context' }],
        registers: { rip: '0x401234', rsp: '0x7ffe0000' },
      },
    })
    const elsewhere = 0x5000_0000n
    expect(
      titleOf({
        ...CRASH,
        crash: { threadId: 7, code: 11, flags: 1, registers: { rip: elsewhere + 0x1234n } },
        modules: [{ ...SHOP, begin: elsewhere }],
      }),
    ).toBe('SIGSEGV / SEGV_MAPERR: shop+0x1234')
  })

  it('lists the threads, the crashed one with who called: by frame pointers, else by what is on its stack', () => {
    const { threads } = show(CRASH)
    expect(threads.values).toMatchObject([
      {
        id: 3,
        stacktrace: { frames: [{ package: LIBC.file }], registers: { instruction: '0x7f0000000099', stack: '0x5' } },
      },
      {
        id: 7,
        name: 'checkout',
        crashed: true,
        current: true,
        stacktrace: {
          frames: [
            { trust: 'scan', instruction_addr: '0x7f0000000500', package: LIBC.file },
            { trust: 'fp', instruction_addr: '0x402000', package: SHOP.file },
            { trust: 'context', instruction_addr: '0x401234' },
          ],
        },
      },
    ])
  })

  it('lists what was loaded with the ids that symbols are found by, and the system', () => {
    const { contexts, debug_meta: meta, timestamp } = show(CRASH)
    expect(meta.images).toEqual([
      {
        type: 'elf',
        code_file: SHOP.file,
        code_id: '0102030405060708090a0b0c0d0e0f1011121314',
        debug_id: '04030201-0605-0807-090a-0b0c0d0e0f10',
        image_addr: '0x400000',
        image_size: 0x10000,
        arch: 'x86_64',
      },
      expect.objectContaining({ code_file: LIBC.file, image_addr: '0x7f0000000000' }),
    ])
    expect(contexts).toEqual({
      os: { name: 'Linux', version: '10.0.19041', build: 'Linux 6.1.0 x86_64' },
      device: { arch: 'x86_64' },
    })
    expect(timestamp).toBe(1_700_000_000)
    const guid = '0123456789abcdef0123456789abcdef'
    const windows = show({
      platform: WINDOWS,
      processor: X86,
      modules: [
        {
          begin: 0x400000n,
          size: 0x1f000,
          file: 'C:\\shop\\shop.exe',
          timestamp: 0x5ab38077,
          symbols: pdb(guid, 1, 'C:\\b\\shop.pdb'),
        },
      ],
    })
    expect(windows.debug_meta.images).toEqual([
      {
        type: 'pe',
        code_file: 'C:\\shop\\shop.exe',
        code_id: '5ab380771f000',
        debug_file: 'C:\\b\\shop.pdb',
        debug_id: '67452301-ab89-efcd-0123-456789abcdef-1',
        image_addr: '0x400000',
        image_size: 0x1f000,
        arch: 'x86',
      },
    ])
    const mac = show({ platform: MACOS, processor: ARM64, modules: [{ ...SHOP, symbols: pdb(guid, 0, 'shop') }] })
    expect(mac.debug_meta.images).toMatchObject([
      { type: 'macho', code_id: '67452301ab89efcd0123456789abcdef', debug_id: '67452301-ab89-efcd-0123-456789abcdef' },
    ])
  })

  it.each<[string, number, Omit<NonNullable<WrittenDump['crash']>, 'threadId'>]>([
    ['EXCEPTION_ACCESS_VIOLATION_WRITE', WINDOWS, { code: 0xc0000005, parameters: [1n, 0x45n] }],
    ['EXCEPTION_ACCESS_VIOLATION_READ', WINDOWS, { code: 0xc0000005, parameters: [0n, 0n] }],
    ['EXCEPTION_STACK_OVERFLOW', WINDOWS, { code: 0xc00000fd }],
    ['Windows exception 0xdeadbeef', WINDOWS, { code: 0xdeadbeef }],
    ['SIGABRT', LINUX, { code: 6, flags: 0xfffffffa }],
    ['SIGFPE / FPE_INTDIV', LINUX, { code: 8, flags: 1 }],
    ['Signal 63', LINUX, { code: 63 }],
    ['EXC_BAD_ACCESS / KERN_INVALID_ADDRESS', MACOS, { code: 1, flags: 1, address: 0x8n }],
    ['SIGABRT', MACOS, { code: 5, flags: 0x10003, parameters: [0x10003n, 6n] }],
    ['EXC_BREAKPOINT', MACOS, { code: 6, flags: 1 }],
    ['Crash 0x00000007', 0x8202, { code: 7 }],
  ])('names the reason as the system does: %s', (name, platform, crash) => {
    expect(show({ platform, crash: { threadId: 1, ...crash } }).exception.values[0]?.type).toBe(name)
  })

  it('says who jumped, where there is no code', () => {
    const crash = { threadId: 1, code: 11, flags: 1 }
    const called = {
      crash: { ...crash, registers: { rip: 0n, rsp: STACK } },
      threads: [{ id: 1, stack: { begin: STACK, words: [SHOP.begin + 0x77n] } }],
      modules: [SHOP],
    }
    expect(titleOf(called)).toBe('SIGSEGV / SEGV_MAPERR: shop+0x77')
    expect(show(called).exception.values[0]?.stacktrace?.frames).toHaveLength(2)
    const registers = { pc: 0n, lr: SHOP.begin + 0x42n, sp: STACK }
    const linked = { processor: ARM64, crash: { ...crash, registers }, threads: [{ id: 1 }], modules: [SHOP] }
    expect(titleOf(linked)).toBe('SIGSEGV / SEGV_MAPERR: shop+0x42')
    expect(titleOf({ ...called, threads: [{ id: 1 }] })).toBe('SIGSEGV / SEGV_MAPERR: outside of all code')
  })

  it('finds the thread that crashed behind more than are shown, and who asked for a dump', () => {
    const threads = Array.from({ length: 400 }, (_, index) => ({ id: index, registers: { rip: 1n } }))
    const many = show({ crash: { threadId: 399, code: 6 }, threads })
    expect(many.threads.values).toHaveLength(250)
    expect(many.threads.values.at(-1)).toMatchObject({ id: 399, crashed: true })
    const asked = show({ requester: 2, threads: threads.slice(0, 3), modules: [SHOP], aligned: true })
    expect(asked.exception.values[0]?.type).toBe('Minidump without a crash')
    expect(asked.threads.values[2]).toMatchObject({ id: 2, crashed: false, current: true })
  })

  it('keeps what the sender knew, but for an exception that only says that there is a dump', () => {
    const own = { values: [{ type: 'std::bad_alloc', stacktrace: { frames: [{ function: 'f' }] } }] }
    const threads = { values: [{ id: 1 }] }
    const sent = { exception: own, threads, timestamp: 5, contexts: { os: { name: 'Mine' }, app: {} }, extra: { a: 1 } }
    expect(show(CRASH, sent)).toMatchObject({ ...sent, contexts: { ...sent.contexts, device: { arch: 'x86_64' } } })
    const placeholder = { values: [{ type: 'Minidump', mechanism: { type: 'minidump' } }] }
    expect(show(CRASH, { exception: placeholder }).exception.values[0]?.type).toBe('SIGSEGV / SEGV_MAPERR')
  })
})

const millisecondsFor = (dump: Uint8Array): number => {
  const begun = performance.now()
  readMinidump(dump)
  return performance.now() - begun
}

/** All libraries share one record of symbols, in which a name of 40 MB begins and does not end. */
const endlessNames = (): Buffer => {
  const modules = Array.from({ length: 4000 }, () => SHOP)
  const symbols = Buffer.alloc(40_000_000, 'n')
  symbols.write('RSDS')
  const dump = Buffer.concat([writeMinidump({ modules }), symbols])
  const place = dump.byteLength - symbols.byteLength
  const directory = dump.readUInt32LE(12)
  const list = [0, 12, 24].map((at) => directory + at).find((at) => dump.readUInt32LE(at) === 4) ?? 0
  const first = dump.readUInt32LE(list + 8) + 4
  for (let index = 0; index < modules.length; index++) {
    dump.writeUInt32LE(symbols.byteLength, first + index * 108 + 76)
    dump.writeUInt32LE(place, first + index * 108 + 80)
  }
  return dump
}

describe('a minidump in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'firsthand-dump-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const inFile = (bytes: Uint8Array): unknown => {
    const path = join(folder, 'dump')
    writeFileSync(path, bytes)
    const opened = openDump(path)
    if (!opened.ok) throw opened.error
    try {
      const result = readMinidump(opened.value)
      return result.ok ? withMinidump({}, result.value) : result.error.message
    } finally {
      opened.value.close()
    }
  }
  const inMemory = (bytes: Uint8Array): unknown => {
    const result = readMinidump(bytes)
    return result.ok ? withMinidump({}, result.value) : result.error.message
  }

  it('says the same as one in memory, wherever in it things are, and when it is cut', () => {
    const modules = Array.from({ length: 200 }, (_, index) => ({
      begin: 0x400000n + BigInt(index) * 0x20000n,
      size: 0x10000,
      file: `/opt/shop/lib/${'x'.repeat(index)}.so`,
      symbols: buildId(index.toString(16).padStart(40, '0')),
    }))
    for (const dump of [writeMinidump(CRASH), writeMinidump({ ...CRASH, modules })]) {
      for (const padding of [0, 1, 16_383, 16_384, 3_000_000]) {
        const whole = Buffer.concat([dump, Buffer.alloc(padding, 'p')])
        expect(inFile(whole)).toEqual(inMemory(whole))
      }
      for (const end of [0, 3, 31, 100, Math.floor(dump.byteLength / 2), dump.byteLength - 1]) {
        expect(inFile(dump.subarray(0, end))).toEqual(inMemory(dump.subarray(0, end)))
      }
    }
  })

  it('is looked at in few places: its memory is not read', () => {
    const path = join(folder, 'large')
    const dump = writeMinidump(CRASH)
    writeFileSync(path, dump)
    // A file with a hole: no disk has so much of it.
    truncateSync(path, 90_000_000)
    const opened = openDump(path)
    if (!opened.ok) throw opened.error
    let bytes = 0
    const { value } = opened
    const counted = {
      length: value.length,
      read: (at: number, size: number) => {
        bytes += size
        return value.read(at, size)
      },
    }
    const result = readMinidump(counted)
    expect(result.ok && withMinidump({}, result.value)).toEqual(inMemory(dump))
    expect(bytes).toBeLessThan(20 * dump.byteLength)
    value.close()
  })

  it('that is not there is a fault of the dump', () => {
    expect(openDump(join(folder, 'nowhere'))).toMatchObject({ ok: false, error: { name: 'MinidumpFault' } })
  })
})

describe('reading a minidump', () => {
  const whole = writeMinidump(CRASH)
  /** Whether it was read and can be shown, or was refused in the only way in which it may be. */
  const copes = (bytes: Uint8Array): boolean => {
    const result = readMinidump(bytes)
    return result.ok ? typeof withMinidump({}, result.value) === 'object' : result.error instanceof MinidumpFault
  }

  it('copes with every length at which a dump may be cut off', () => {
    for (let length = 0; length <= whole.byteLength; length++) expect(copes(whole.subarray(0, length))).toBe(true)
    expect(readMinidump(whole.subarray(0, 31))).toMatchObject({ ok: false })
    expect(readMinidump(Buffer.from('nothing of the kind, though long enough'))).toMatchObject({ ok: false })
  })

  it('copes with every word that may be changed', () => {
    for (const word of [0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff]) {
      for (let at = 4; at + 4 <= whole.byteLength; at += 4) {
        const changed = Buffer.from(whole)
        changed.writeUInt32LE(word, at)
        expect(copes(changed)).toBe(true)
      }
    }
  })

  it('copes with any bytes', () => {
    const changes = fc.array(fc.tuple(fc.nat(whole.byteLength - 1), fc.nat(255)), { maxLength: 40 })
    fc.assert(
      fc.property(changes, (list) => {
        const changed = Buffer.from(whole)
        for (const [at, byte] of list) if (at >= 4) changed[at] = byte
        expect(copes(changed)).toBe(true)
      }),
      { numRuns: 2000 },
    )
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), fc.constantFrom('MDMP', 'PMDM'), (bytes, magic) => {
        expect(copes(Buffer.concat([Buffer.from(magic), bytes]))).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  it('reads the other order of bytes', () => {
    const header = Buffer.alloc(32)
    header.write('PMDM')
    header.writeUInt32BE(1, 8)
    header.writeUInt32BE(32, 12)
    const directory = Buffer.alloc(12)
    const stream = Buffer.alloc(56)
    directory.writeUInt32BE(7, 0)
    directory.writeUInt32BE(stream.byteLength, 4)
    directory.writeUInt32BE(44, 8)
    stream.writeUInt16BE(AMD64, 0)
    stream.writeUInt32BE(LINUX, 20)
    expect(readMinidump(Buffer.concat([header, directory, stream]))).toMatchObject({
      ok: true,
      value: { system: { platform: 'linux', processor: 'x86_64' } },
    })
  })

  it('does no more than its limits, whatever a dump claims', () => {
    const claims = Buffer.alloc(32)
    claims.write('MDMP')
    claims.writeUInt32LE(LIMITS.MINIDUMP_STREAMS + 1, 8)
    expect(readMinidump(claims)).toMatchObject({ ok: false })

    const modules = Array.from({ length: 20_000 }, () => SHOP)
    const many = writeMinidump({ modules, threads: Array.from({ length: 20_000 }, (_, id) => ({ id })) })
    expect(millisecondsFor(many)).toBeLessThan(2000)
    const result = readMinidump(many)
    expect(result).toMatchObject({ ok: true })
    if (result.ok) {
      expect(result.value.modules.length).toBeLessThanOrEqual(LIMITS.MINIDUMP_ENTRIES)
      expect(result.value.threads.length).toBeLessThanOrEqual(LIMITS.MINIDUMP_ENTRIES)
    }

    // Each of thousands of entries may point to one long text.
    const long = { ...SHOP, file: 'ä'.repeat(5000), symbols: pdb('0'.repeat(32), 1, 'é'.repeat(5000)) }
    const [module] = read({ modules: [long] }).modules
    expect([module?.file, module?.debugFile?.length]).toEqual(['ä'.repeat(512), 256])

    expect(millisecondsFor(endlessNames())).toBeLessThan(2000)

    const words = Array.from({ length: 10_000 }, () => SHOP.begin + 1n)
    const deep = show({
      crash: { threadId: 1, code: 11, registers: { rip: SHOP.begin, rsp: STACK } },
      threads: [{ id: 1, stack: { begin: STACK, words } }],
      modules: [SHOP],
    })
    expect(deep.threads.values).toMatchObject([{ stacktrace: { frames: { length: LIMITS.MINIDUMP_FRAMES } } }])
  })
})
