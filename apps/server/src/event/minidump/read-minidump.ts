import { err, ok, type Result } from '../../lib/result.ts'
import { LIMITS, EVENT_LIMITS } from '../limits.ts'
import { processorName, readRegisters } from './cpu.ts'
import { DumpBytes, dumpInMemory, MinidumpFault, type DumpSource } from './dump-bytes.ts'
import type { DumpCrash, DumpModule, DumpPlatform, DumpStack, DumpSystem, DumpThread, Minidump } from './minidump.ts'

/**
 * Reads the streams of a minidump that say what crashed and where (the format of Microsoft's `minidumpapiset.h`, with what
 * Breakpad and Crashpad add). Everything in it is the sender's: each offset is compared with the end, each count with the
 * bytes that are there and with a limit, and a stream that cannot be read is as good as one that is not there.
 */
export const readMinidump = (dump: Uint8Array | DumpSource): Result<Minidump, MinidumpFault> => {
  try {
    return ok(read(dump instanceof Uint8Array ? dumpInMemory(dump) : dump))
  } catch (error) {
    if (error instanceof MinidumpFault) return err(error)
    throw error
  }
}

/** Numbers of streams. */
const THREADS = 3
const MODULES = 4
const EXCEPTION = 6
const SYSTEM = 7
const THREAD_NAMES = 24
const BREAKPAD = 0x47670001

const HEADER_BYTES = 32
const DIRECTORY_ENTRY_BYTES = 12
const THREAD_BYTES = 48
const MODULE_BYTES = 108
const THREAD_NAME_BYTES = 12

interface Dump {
  readonly all: DumpBytes
  readonly streams: ReadonlyMap<number, DumpBytes>
}

const read = (source: DumpSource): Minidump => {
  const begin = new DumpBytes(source, true).raw(0, Math.min(4, source.length))
  const magic = Buffer.from(begin).toString('latin1')
  if (magic !== 'MDMP' && magic !== 'PMDM') throw new MinidumpFault('it does not begin with MDMP')
  const all = new DumpBytes(source, magic === 'MDMP')
  if (!all.has(0, HEADER_BYTES)) throw new MinidumpFault('it ends within its header')
  const dump: Dump = { all, streams: readDirectory(all) }
  const processor = tolerant(() => dump.streams.get(SYSTEM)?.u16(0) ?? null, null)
  const system = tolerant(() => readSystem(dump), null)
  const exception = tolerant(() => readException(dump, processor), null)
  const subject = exception?.crash.threadId ?? tolerant(() => readRequester(dump), null)
  const threads = tolerant(() => readThreads(dump, processor, subject), []).map((thread) =>
    thread.id === exception?.crash.threadId && exception.registers !== null
      ? { ...thread, registers: exception.registers }
      : thread,
  )
  return {
    timestamp: all.u32(20),
    system,
    crash: exception?.crash ?? null,
    threads,
    subject,
    modules: tolerant(() => readModules(dump, system?.platform ?? 'other'), []),
  }
}

/** What `part` says, or `otherwise` when its place in the dump is not there. */
const tolerant = <Value>(part: () => Value, otherwise: Value): Value => {
  try {
    return part()
  } catch (error) {
    if (error instanceof MinidumpFault) return otherwise
    throw error
  }
}

const readDirectory = (all: DumpBytes): ReadonlyMap<number, DumpBytes> => {
  const count = all.u32(8)
  if (count > LIMITS.MINIDUMP_STREAMS) throw new MinidumpFault(`it has ${count} streams`)
  const directory = all.part(all.u32(12), count * DIRECTORY_ENTRY_BYTES)
  const streams = new Map<number, DumpBytes>()
  for (let index = 0; index < count; index++) {
    const at = index * DIRECTORY_ENTRY_BYTES
    const [type, size, place] = [directory.u32(at), directory.u32(at + 4), directory.u32(at + 8)]
    if (!streams.has(type) && all.has(place, size)) streams.set(type, all.part(place, size))
  }
  return streams
}

/** The entries of a list stream: as many as it claims and has, at most `MINIDUMP_ENTRIES`. */
const entriesOf = (stream: DumpBytes | undefined, bytes: number): readonly DumpBytes[] => {
  if (stream === undefined) return []
  const claimed = stream.u32(0)
  // Some writers align the first entry to 8 bytes.
  const begin = stream.length === 8 + claimed * bytes ? 8 : 4
  const count = Math.min(claimed, Math.floor(Math.max(0, stream.length - begin) / bytes), LIMITS.MINIDUMP_ENTRIES)
  return Array.from({ length: count }, (_, index) => stream.part(begin + index * bytes, bytes))
}

const PLATFORMS: ReadonlyMap<number, DumpPlatform> = new Map([
  [1, 'windows'],
  [2, 'windows'],
  [3, 'windows'],
  [0x8101, 'macos'],
  [0x8102, 'ios'],
  [0x8201, 'linux'],
  [0x8203, 'android'],
])

const readSystem = ({ all, streams }: Dump): DumpSystem | null => {
  const stream = streams.get(SYSTEM)
  if (stream === undefined) return null
  const version = [stream.u32(8), stream.u32(12), stream.u32(16)].join('.')
  const build = tolerant(() => all.string(stream.u32(24), EVENT_LIMITS.NAME_CHARS), '')
  // Breakpad writes no numbers on Linux, and all of `uname` as a text.
  const kernel = version === '0.0.0' ? /^Linux (\d\S{0,63})/.exec(build)?.[1] : undefined
  return {
    platform: PLATFORMS.get(stream.u32(20)) ?? 'other',
    processor: processorName(stream.u16(0)),
    version: kernel ?? version,
    build,
  }
}

const EXCEPTION_PARAMETERS = 15

const readException = ({ all, streams }: Dump, processor: number | null) => {
  const stream = streams.get(EXCEPTION)
  if (stream === undefined) return null
  const given = Math.min(stream.u32(32), EXCEPTION_PARAMETERS)
  const crash: DumpCrash = {
    threadId: stream.u32(0),
    code: stream.u32(8),
    flags: stream.u32(12),
    address: stream.u64(24),
    parameters: Array.from({ length: given }, (_, index) => stream.u64(40 + index * 8)),
  }
  const registers = tolerant(() => registersAt(all, stream, 160, processor), null)
  return { crash, registers }
}

/** The thread that asked for a dump of a program that did not crash. */
const readRequester = ({ streams }: Dump): number | null => {
  const stream = streams.get(BREAKPAD)
  if (stream === undefined) return null
  const isKnown = (stream.u32(0) & 2) !== 0
  return isKnown ? stream.u32(8) : null
}

/** Registers at a place that is given as size and offset. */
const registersAt = (all: DumpBytes, from: DumpBytes, at: number, processor: number | null) => {
  const size = from.u32(at)
  return processor === null || size === 0 ? null : readRegisters(processor, all.part(from.u32(at + 4), size))
}

const readThreads = (dump: Dump, processor: number | null, subject: number | null): readonly DumpThread[] => {
  const { all, streams } = dump
  const entries = entriesOf(streams.get(THREADS), THREAD_BYTES)
  const names = tolerant(() => readThreadNames(dump), new Map<number, string>())
  const first = entries.slice(0, EVENT_LIMITS.THREADS)
  const isThere = first.some((entry) => entry.u32(0) === subject)
  const late = isThere ? undefined : entries.find((entry) => entry.u32(0) === subject)
  const kept = late === undefined ? first : [...first.slice(0, EVENT_LIMITS.THREADS - 1), late]
  return kept.map((entry) => {
    const id = entry.u32(0)
    return {
      id,
      name: names.get(id) ?? '',
      registers: tolerant(() => registersAt(all, entry, 40, processor), null),
      stack: tolerant((): DumpStack | null => {
        const [size, place] = [entry.u32(32), entry.u32(36)]
        return place === 0 || size === 0 ? null : { begin: entry.u64(24), bytes: all.part(place, size) }
      }, null),
    }
  })
}

const readThreadNames = ({ all, streams }: Dump): Map<number, string> => {
  const names = new Map<number, string>()
  for (const entry of entriesOf(streams.get(THREAD_NAMES), THREAD_NAME_BYTES)) {
    const place = entry.u64(4)
    const name =
      place > BigInt(all.length) ? '' : tolerant(() => all.string(Number(place), EVENT_LIMITS.NAME_CHARS), '')
    if (name !== '') names.set(entry.u32(0), name)
  }
  return names
}

const readModules = ({ all, streams }: Dump, platform: DumpPlatform): readonly DumpModule[] => {
  const modules = entriesOf(streams.get(MODULES), MODULE_BYTES)
    .slice(0, EVENT_LIMITS.DEBUG_IMAGES)
    .map((entry): DumpModule => {
      const size = entry.u32(8)
      const symbols = tolerant(() => readSymbolsId(all.part(entry.u32(80), entry.u32(76))), NO_SYMBOLS)
      const { buildId, uuid, debugId, debugFile } = symbols
      const codeId = platform === 'windows' ? `${hex(entry.u32(16), 8)}${size.toString(16)}` : (buildId ?? uuid)
      return {
        begin: entry.u64(0),
        size,
        file: tolerant(() => all.string(entry.u32(20), EVENT_LIMITS.SYMBOL_CHARS), ''),
        // On Linux, what is in the record of a program's symbols is made of its build id, but is not all of it.
        codeId:
          platform === 'windows' || buildId !== null || platform === 'macos' || platform === 'ios' ? codeId : null,
        debugId,
        debugFile,
      }
    })
  return modules.toSorted((one, other) => (one.begin < other.begin ? -1 : one.begin > other.begin ? 1 : 0))
}

interface SymbolsId {
  readonly buildId: string | null
  readonly uuid: string | null
  readonly debugId: string | null
  readonly debugFile: string | null
}

const NO_SYMBOLS: SymbolsId = { buildId: null, uuid: null, debugId: null, debugFile: null }

/** First words of the three kinds of records: PDB 7, PDB 2, build id of ELF. */
const RSDS = 0x53445352
const NB10 = 0x3031424e
const BPEL = 0x4270454c

const GUID_BYTES = 16
const BUILD_ID_BYTES = 64

const readSymbolsId = (record: DumpBytes): SymbolsId => {
  switch (record.u32(0)) {
    case RSDS: {
      const age = record.u32(20)
      const uuid = guid(record.part(4, GUID_BYTES))
      return {
        buildId: null,
        uuid: uuid.replaceAll('-', ''),
        debugId: age === 0 ? uuid : `${uuid}-${age.toString(16)}`,
        debugFile: record.zeroEnded(24, EVENT_LIMITS.SYMBOL_CHARS) || null,
      }
    }
    case NB10:
      return {
        ...NO_SYMBOLS,
        debugId: `${hex(record.u32(8), 8)}-${record.u32(12).toString(16)}`,
        debugFile: record.zeroEnded(16, EVENT_LIMITS.SYMBOL_CHARS) || null,
      }
    case BPEL: {
      const id = record.raw(4, Math.min(record.length - 4, BUILD_ID_BYTES))
      if (id.byteLength === 0) return NO_SYMBOLS
      const padded = new Uint8Array(GUID_BYTES)
      padded.set(id.subarray(0, GUID_BYTES))
      // A build id has no order of bytes; read as the one of a PDB, it is what symbols are looked for by.
      return {
        ...NO_SYMBOLS,
        buildId: Buffer.from(id).toString('hex'),
        debugId: guid(new DumpBytes(dumpInMemory(padded), true)),
      }
    }
    default:
      return NO_SYMBOLS
  }
}

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0')

const guid = (bytes: DumpBytes): string => {
  const rest = Buffer.from(bytes.raw(8, 8)).toString('hex')
  return `${hex(bytes.u32(0), 8)}-${hex(bytes.u16(4), 4)}-${hex(bytes.u16(6), 4)}-${rest.slice(0, 4)}-${rest.slice(4)}`
}
