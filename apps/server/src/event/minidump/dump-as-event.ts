import { isObject } from '@firsthand/protocol'
import type { Raw } from '../normalise/reading.ts'
import { crashReason } from './crash-reason.ts'
import type { DumpModule, DumpSystem, DumpThread, Minidump } from './minidump.ts'
import { walkStack, type WalkedFrame } from './walk-stack.ts'

/**
 * An event as it was sent, with what its minidump says: the exception, threads, loaded programs and libraries, system.
 * What the sender knew stays, but for an exception that only says that there is a dump.
 *
 * The exception is named by the reason of the crash and has the frame that crashed, alone: its library and the offset in
 * it are what grouping takes, and they are the same for every run. What called it is less certain, and stands with the
 * thread.
 */
export const withMinidump = (raw: Raw, dump: Minidump): Raw => {
  const stacks = new Map(dump.threads.map((thread) => [thread.id, stackOf(thread, dump)]))
  const crashed = dump.threads.find((thread) => thread.id === dump.subject)
  const frames = crashed === undefined ? [] : (stacks.get(crashed.id) ?? [])
  const exception = exceptionOf(dump, crashed, frames)
  const contexts = systemContexts(dump.system)
  const given = isObject(raw['contexts']) ? raw['contexts'] : {}
  return {
    ...raw,
    ...(raw['timestamp'] === undefined && dump.timestamp > 0 ? { timestamp: dump.timestamp } : {}),
    ...(exception === null || knowsMore(raw['exception']) ? {} : { exception: { values: [exception] } }),
    ...(raw['threads'] === undefined && dump.threads.length > 0
      ? { threads: { values: dump.threads.map((thread) => threadOf(thread, dump, stacks.get(thread.id) ?? [])) } }
      : {}),
    ...(raw['debug_meta'] === undefined && dump.modules.length > 0
      ? { debug_meta: { images: dump.modules.map((module) => imageOf(module, dump.system)) } }
      : {}),
    contexts: { ...contexts, ...given },
  }
}

/** Whether an exception was sent that says more than that there is a dump. */
const knowsMore = (exception: unknown): boolean => {
  const values: unknown = isObject(exception) ? (exception['values'] ?? [exception]) : exception
  const list: readonly unknown[] = Array.isArray(values) ? values : []
  return list.some((one) => isObject(one) && !(isObject(one['mechanism']) && one['mechanism']['type'] === 'minidump'))
}

/** Only of the thread that crashed: walking through all of them would show much that is not certain. */
const stackOf = (thread: DumpThread, { modules, subject }: Minidump): readonly WalkedFrame[] =>
  walkStack(thread.id === subject ? thread : { ...thread, stack: null }, modules)

const exceptionOf = (
  { crash, system, threads }: Minidump,
  crashed: DumpThread | undefined,
  walked: readonly WalkedFrame[],
): Raw | null => {
  if (crash === null && threads.length === 0) return null
  const word = crashed?.registers?.word ?? 8
  const reason = crash === null ? null : crashReason(crash, system, word)
  const frames = crashFrames(walked)
  const place = frames.find(({ module }) => module !== null)
  return {
    type: reason?.name ?? 'Minidump without a crash',
    value: place !== undefined ? placeOf(place) : frames.length === 0 ? 'in an unknown place' : 'outside of all code',
    ...(crashed === undefined ? {} : { thread_id: String(crashed.id) }),
    mechanism: {
      type: 'minidump',
      handled: false,
      ...(reason === null ? {} : { meta: reason.meta }),
      data: {
        ...(crash === null ? {} : { code: hex(BigInt(crash.code)) }),
        ...(reason === null || reason.address === null ? {} : { address: hex(reason.address) }),
      },
    },
    ...(frames.length === 0 ? {} : { stacktrace: stacktraceOf(frames, crashed, true) }),
  }
}

/** The frame that crashed; with what jumped there, when there is no code. */
const crashFrames = (walked: readonly WalkedFrame[]): readonly WalkedFrame[] => {
  const [first] = walked
  if (first === undefined || first.module !== null) return walked.slice(0, 1)
  const caller = walked.findIndex(({ module }) => module !== null)
  return caller === -1 ? walked.slice(0, 1) : walked.slice(0, caller + 1)
}

const threadOf = (thread: DumpThread, { crash, subject }: Minidump, frames: readonly WalkedFrame[]): Raw => ({
  id: thread.id,
  ...(thread.name === '' ? {} : { name: thread.name }),
  ...(thread.id === subject ? { crashed: crash !== null, current: true } : {}),
  ...(frames.length === 0 ? {} : { stacktrace: stacktraceOf(frames, thread, thread.id === subject) }),
})

const stacktraceOf = (frames: readonly WalkedFrame[], thread: DumpThread | undefined, whole: boolean): Raw => {
  const registers = thread?.registers ?? null
  return {
    frames: frames.map(frameOf).toReversed(),
    ...(registers === null
      ? {}
      : {
          registers: whole
            ? Object.fromEntries([...registers.all].map(([name, value]) => [name, hex(value)]))
            : { instruction: hex(registers.instruction), stack: hex(registers.stack) },
        }),
  }
}

const frameOf = ({ address, module, trust }: WalkedFrame): Raw => ({
  platform: 'native',
  instruction_addr: hex(address),
  trust,
  ...(module === null ? {} : { package: module.file, image_addr: hex(module.begin), in_app: true }),
})

const imageOf = ({ begin, size, file, codeId, debugId, debugFile }: DumpModule, system: DumpSystem | null): Raw => ({
  type: IMAGE_TYPES[system?.platform ?? 'other'],
  code_file: file,
  ...(codeId === null ? {} : { code_id: codeId }),
  ...(debugFile === null ? {} : { debug_file: debugFile }),
  ...(debugId === null ? {} : { debug_id: debugId }),
  image_addr: hex(begin),
  image_size: size,
  ...(system?.processor == null ? {} : { arch: system.processor }),
})

const IMAGE_TYPES = { windows: 'pe', macos: 'macho', ios: 'macho', linux: 'elf', android: 'elf', other: 'elf' } as const

const SYSTEM_NAMES = {
  windows: 'Windows',
  macos: 'macOS',
  ios: 'iOS',
  linux: 'Linux',
  android: 'Android',
  other: null,
} as const

const systemContexts = (system: DumpSystem | null): Raw => {
  if (system === null) return {}
  const { build, platform, processor, version } = system
  const name = SYSTEM_NAMES[platform]
  return {
    ...(name === null ? {} : { os: { name, version, ...(build === '' ? {} : { build }) } }),
    ...(processor === null ? {} : { device: { arch: processor } }),
  }
}

const placeOf = ({ address, module }: WalkedFrame): string =>
  module === null ? hex(address) : `${fileName(module.file)}+${hex(address - module.begin)}`

const fileName = (path: string): string => path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)

const hex = (value: bigint): string => `0x${value.toString(16)}`
