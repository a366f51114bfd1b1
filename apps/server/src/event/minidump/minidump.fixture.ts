/** Tests: writes minidumps, as Breakpad and Crashpad do. */

export interface WrittenModule {
  readonly begin: bigint
  readonly size: number
  readonly file: string
  readonly timestamp?: number
  /** The record of its symbols, whole. */
  readonly symbols?: Buffer
}

export interface WrittenThread {
  readonly id: number
  readonly registers?: Readonly<Record<string, bigint>>
  /** Words upwards from `begin`. */
  readonly stack?: { readonly begin: bigint; readonly words: readonly bigint[] }
}

export interface WrittenDump {
  readonly processor?: number
  readonly platform?: number
  readonly build?: string
  readonly timestamp?: number
  readonly crash?: {
    readonly threadId: number
    readonly code: number
    readonly flags?: number
    readonly address?: bigint
    readonly parameters?: readonly bigint[]
    readonly registers?: Readonly<Record<string, bigint>>
  }
  /** The thread that asked for it. */
  readonly requester?: number
  readonly threads?: readonly WrittenThread[]
  readonly names?: ReadonlyMap<number, string>
  readonly modules?: readonly WrittenModule[]
  /** Writes 4 bytes before the first entry of a list, as some do. */
  readonly aligned?: boolean
}

export const WINDOWS = 2
export const MACOS = 0x8101
export const LINUX = 0x8201

export const X86 = 0
export const AMD64 = 9
export const ARM64 = 12

const REGISTERS: Readonly<Record<number, { word: 4 | 8; size: number; at: Readonly<Record<string, number>> }>> = {
  [X86]: { word: 4, size: 716, at: { ebp: 180, eip: 184, esp: 196 } },
  [AMD64]: { word: 8, size: 1232, at: { rax: 120, rsp: 152, rbp: 160, rip: 248 } },
  [ARM64]: { word: 8, size: 912, at: { fp: 240, lr: 248, sp: 256, pc: 264 } },
}

const u16 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 2)
  values.forEach((value, index) => bytes.writeUInt16LE(value, index * 2))
  return bytes
}
const u32 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  values.forEach((value, index) => bytes.writeUInt32LE(value, index * 4))
  return bytes
}
const u64 = (...values: bigint[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 8)
  values.forEach((value, index) => bytes.writeBigUInt64LE(value, index * 8))
  return bytes
}

export const pdb = (guid: string, age: number, file: string): Buffer =>
  Buffer.concat([Buffer.from('RSDS'), Buffer.from(guid, 'hex'), u32(age), Buffer.from(`${file}\0`)])

export const buildId = (hex: string): Buffer => Buffer.concat([Buffer.from('LEpB'), Buffer.from(hex, 'hex')])

export const writeMinidump = (dump: WrittenDump): Buffer => {
  const { processor = AMD64, modules = [], names = new Map<number, string>(), threads = [] } = dump
  const parts: Buffer[] = []
  const streams: { type: number; bytes: Buffer }[] = []
  // Whatever the streams point to stands before them.
  let at = 32
  const put = (bytes: Buffer): number => {
    const place = at
    parts.push(bytes)
    at += bytes.byteLength
    return place
  }
  const text = (value: string): number => {
    const bytes = Buffer.from(value, 'utf16le')
    return put(Buffer.concat([u32(bytes.byteLength), bytes, u16(0)]))
  }
  const context = (registers: Readonly<Record<string, bigint>> | undefined): Buffer => {
    const layout = REGISTERS[processor]
    if (layout === undefined || registers === undefined) return u32(0, 0)
    const bytes = Buffer.alloc(layout.size)
    for (const [name, value] of Object.entries(registers)) {
      const place = layout.at[name]
      if (place === undefined) throw new Error(`no register ${name}`)
      if (layout.word === 8) bytes.writeBigUInt64LE(value, place)
      else bytes.writeUInt32LE(Number(value), place)
    }
    return u32(layout.size, put(bytes))
  }
  const list = (type: number, entries: readonly Buffer[]): void => {
    const head = dump.aligned === true ? u32(entries.length, 0) : u32(entries.length)
    if (entries.length > 0) streams.push({ type, bytes: Buffer.concat([head, ...entries]) })
  }

  const system = Buffer.concat([
    u16(processor, 0, 0, 0),
    u32(10, 0, 19041, dump.platform ?? LINUX, text(dump.build ?? '')),
    Buffer.alloc(28),
  ])
  streams.push({ type: 7, bytes: system })
  const { crash } = dump
  if (crash !== undefined) {
    const { parameters = [] } = crash
    streams.push({
      type: 6,
      bytes: Buffer.concat([
        u32(crash.threadId, 0, crash.code, crash.flags ?? 0),
        u64(0n, crash.address ?? 0n),
        u32(parameters.length, 0),
        u64(...parameters, ...Array.from({ length: 15 - parameters.length }, () => 0n)),
        context(crash.registers),
      ]),
    })
  }
  if (dump.requester !== undefined) streams.push({ type: 0x47670001, bytes: u32(3, 0, dump.requester) })
  list(
    3,
    threads.map(({ id, registers, stack }) => {
      const memory = stack === undefined ? Buffer.alloc(0) : wordsOf(stack.words, REGISTERS[processor]?.word ?? 8)
      return Buffer.concat([
        u32(id, 0, 0, 0),
        u64(0n, stack?.begin ?? 0n),
        u32(memory.byteLength, put(memory)),
        context(registers),
      ])
    }),
  )
  list(
    24,
    [...names].map(([id, name]) => Buffer.concat([u32(id), u64(BigInt(text(name)))])),
  )
  list(
    4,
    modules.map(({ begin, file, size, symbols = Buffer.alloc(0), timestamp = 0 }) =>
      Buffer.concat([
        u64(begin),
        u32(size, 0, timestamp, text(file)),
        Buffer.alloc(52),
        u32(symbols.byteLength, put(symbols)),
        Buffer.alloc(24),
      ]),
    ),
  )
  const directory = streams.map(({ type, bytes }) => u32(type, bytes.byteLength, put(bytes)))
  const place = put(Buffer.concat(directory))
  const header = Buffer.concat([
    Buffer.from('MDMP'),
    u32(0xa793, streams.length, place, 0, dump.timestamp ?? 0),
    Buffer.alloc(8),
  ])
  return Buffer.concat([header, ...parts])
}

const wordsOf = (words: readonly bigint[], size: 4 | 8): Buffer =>
  size === 8 ? u64(...words) : u32(...words.map(Number))
