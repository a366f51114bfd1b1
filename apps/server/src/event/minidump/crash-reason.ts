import type { DumpCrash, DumpSystem } from './minidump.ts'

/** What went wrong, in the operating system's words. */
export interface CrashReason {
  /** `EXCEPTION_ACCESS_VIOLATION_READ`, `SIGSEGV / SEGV_MAPERR`, `EXC_BAD_ACCESS / KERN_INVALID_ADDRESS`. */
  readonly name: string
  /** Which memory the program wanted; null when it is not about memory. */
  readonly address: bigint | null
  /** For `mechanism.meta`. */
  readonly meta: { readonly [kind: string]: { readonly [field: string]: string | number } }
}

/** @param word bytes of an address; of a shorter one, dumps may hold the sign in the other half */
export const crashReason = (crash: DumpCrash, system: DumpSystem | null, word: 4 | 8): CrashReason => {
  const reason = reasonOf(crash, system)
  return { ...reason, address: reason.address === null || word === 8 ? reason.address : reason.address & 0xffff_ffffn }
}

const reasonOf = (crash: DumpCrash, system: DumpSystem | null): CrashReason => {
  switch (system?.platform) {
    case 'windows':
      return windowsReason(crash)
    case 'macos':
    case 'ios':
      return machReason(crash)
    case 'linux':
    case 'android':
      return signalReason(crash)
    case 'other':
    case undefined:
      return { name: `Crash ${hex(crash.code)}`, address: null, meta: {} }
  }
}

const hex = (value: number): string => `0x${value.toString(16).padStart(8, '0')}`

const ACCESS_VIOLATION = 0xc0000005
const IN_PAGE_ERROR = 0xc0000006

const WINDOWS: ReadonlyMap<number, string> = new Map([
  [0x40010005, 'Control-C'],
  [0x80000001, 'EXCEPTION_GUARD_PAGE'],
  [0x80000002, 'EXCEPTION_DATATYPE_MISALIGNMENT'],
  [0x80000003, 'EXCEPTION_BREAKPOINT'],
  [0x80000004, 'EXCEPTION_SINGLE_STEP'],
  [ACCESS_VIOLATION, 'EXCEPTION_ACCESS_VIOLATION'],
  [IN_PAGE_ERROR, 'EXCEPTION_IN_PAGE_ERROR'],
  [0xc0000008, 'EXCEPTION_INVALID_HANDLE'],
  [0xc000000d, 'STATUS_INVALID_PARAMETER'],
  [0xc0000017, 'STATUS_NO_MEMORY'],
  [0xc000001d, 'EXCEPTION_ILLEGAL_INSTRUCTION'],
  [0xc0000025, 'EXCEPTION_NONCONTINUABLE_EXCEPTION'],
  [0xc0000026, 'EXCEPTION_INVALID_DISPOSITION'],
  [0xc000008c, 'EXCEPTION_ARRAY_BOUNDS_EXCEEDED'],
  [0xc000008d, 'EXCEPTION_FLT_DENORMAL_OPERAND'],
  [0xc000008e, 'EXCEPTION_FLT_DIVIDE_BY_ZERO'],
  [0xc000008f, 'EXCEPTION_FLT_INEXACT_RESULT'],
  [0xc0000090, 'EXCEPTION_FLT_INVALID_OPERATION'],
  [0xc0000091, 'EXCEPTION_FLT_OVERFLOW'],
  [0xc0000092, 'EXCEPTION_FLT_STACK_CHECK'],
  [0xc0000093, 'EXCEPTION_FLT_UNDERFLOW'],
  [0xc0000094, 'EXCEPTION_INT_DIVIDE_BY_ZERO'],
  [0xc0000095, 'EXCEPTION_INT_OVERFLOW'],
  [0xc0000096, 'EXCEPTION_PRIV_INSTRUCTION'],
  [0xc00000fd, 'EXCEPTION_STACK_OVERFLOW'],
  [0xc0000194, 'EXCEPTION_POSSIBLE_DEADLOCK'],
  [0xc0000374, 'STATUS_HEAP_CORRUPTION'],
  [0xc0000409, 'STATUS_STACK_BUFFER_OVERRUN'],
  [0xc0000417, 'STATUS_INVALID_CRUNTIME_PARAMETER'],
  [0xc0000420, 'STATUS_ASSERTION_FAILURE'],
  [0xe0000008, 'Out of memory'],
  [0xe0434352, 'Unhandled .NET exception'],
  [0xe06d7363, 'Unhandled C++ exception'],
  [0x0517a7ed, 'Simulated exception'],
])

/** What the program did with the memory, by the first parameter. */
const ACCESS: ReadonlyMap<bigint, string> = new Map([
  [0n, 'READ'],
  [1n, 'WRITE'],
  [8n, 'EXEC'],
])

const windowsReason = ({ code, parameters }: DumpCrash): CrashReason => {
  const name = WINDOWS.get(code) ?? `Windows exception ${hex(code)}`
  const [kind, address] = parameters
  const isAccess = code === ACCESS_VIOLATION || code === IN_PAGE_ERROR
  const access = isAccess && kind !== undefined ? ACCESS.get(kind) : undefined
  return {
    name: access === undefined ? name : `${name}_${access}`,
    address: isAccess ? (address ?? null) : null,
    meta: {},
  }
}

const SIGNALS: ReadonlyMap<number, string> = new Map([
  [1, 'SIGHUP'],
  [2, 'SIGINT'],
  [3, 'SIGQUIT'],
  [4, 'SIGILL'],
  [5, 'SIGTRAP'],
  [6, 'SIGABRT'],
  [7, 'SIGBUS'],
  [8, 'SIGFPE'],
  [9, 'SIGKILL'],
  [10, 'SIGUSR1'],
  [11, 'SIGSEGV'],
  [12, 'SIGUSR2'],
  [13, 'SIGPIPE'],
  [14, 'SIGALRM'],
  [15, 'SIGTERM'],
  [16, 'SIGSTKFLT'],
  [24, 'SIGXCPU'],
  [25, 'SIGXFSZ'],
  [31, 'SIGSYS'],
])

/** What the code of a signal means, counted from 1. */
const SIGNAL_CODES: ReadonlyMap<number, readonly string[]> = new Map([
  [4, ['ILL_ILLOPC', 'ILL_ILLOPN', 'ILL_ILLADR', 'ILL_ILLTRP', 'ILL_PRVOPC', 'ILL_PRVREG', 'ILL_COPROC', 'ILL_BADSTK']],
  [5, ['TRAP_BRKPT', 'TRAP_TRACE', 'TRAP_BRANCH', 'TRAP_HWBKPT']],
  [7, ['BUS_ADRALN', 'BUS_ADRERR', 'BUS_OBJERR', 'BUS_MCEERR_AR', 'BUS_MCEERR_AO']],
  [8, ['FPE_INTDIV', 'FPE_INTOVF', 'FPE_FLTDIV', 'FPE_FLTOVF', 'FPE_FLTUND', 'FPE_FLTRES', 'FPE_FLTINV', 'FPE_FLTSUB']],
  [11, ['SEGV_MAPERR', 'SEGV_ACCERR', 'SEGV_BNDERR', 'SEGV_PKUERR']],
  [31, ['SYS_SECCOMP', 'SYS_USER_DISPATCH']],
])

/** Signals that are about a place in memory. */
const ABOUT_MEMORY: ReadonlySet<number> = new Set([7, 11])

/** Breakpad's, for a program that did not crash. */
const DUMP_REQUESTED = 0xffffffff

const signalReason = ({ code, flags, address }: DumpCrash): CrashReason => {
  if (code === DUMP_REQUESTED) return { name: 'Dump requested', address: null, meta: {} }
  const name = SIGNALS.get(code) ?? `Signal ${code}`
  const detail = SIGNAL_CODES.get(code)?.[flags - 1]
  return {
    name: detail === undefined ? name : `${name} / ${detail}`,
    address: ABOUT_MEMORY.has(code) ? address : null,
    meta: { signal: { number: code, code: flags, name, ...(detail === undefined ? {} : { code_name: detail }) } },
  }
}

const EXC_BAD_ACCESS = 1
const EXC_SOFTWARE = 5
const EXC_SOFT_SIGNAL = 0x10003

const MACH: ReadonlyMap<number, string> = new Map([
  [EXC_BAD_ACCESS, 'EXC_BAD_ACCESS'],
  [2, 'EXC_BAD_INSTRUCTION'],
  [3, 'EXC_ARITHMETIC'],
  [4, 'EXC_EMULATION'],
  [EXC_SOFTWARE, 'EXC_SOFTWARE'],
  [6, 'EXC_BREAKPOINT'],
  [7, 'EXC_SYSCALL'],
  [8, 'EXC_MACH_SYSCALL'],
  [9, 'EXC_RPC_ALERT'],
  [10, 'EXC_CRASH'],
  [11, 'EXC_RESOURCE'],
  [12, 'EXC_GUARD'],
  [13, 'EXC_CORPSE_NOTIFY'],
  // Crashpad's own.
  [0x43506e78, 'Unhandled NSException'],
  [0x43507378, 'Simulated exception'],
])

const BAD_ACCESS: ReadonlyMap<number, string> = new Map([
  [1, 'KERN_INVALID_ADDRESS'],
  [2, 'KERN_PROTECTION_FAILURE'],
  [8, 'KERN_NO_ACCESS'],
  [9, 'KERN_MEMORY_FAILURE'],
  [10, 'KERN_MEMORY_ERROR'],
  [13, 'EXC_I386_GPFLT'],
  [50, 'KERN_CODESIGN_ERROR'],
  [0x101, 'EXC_ARM_DA_ALIGN'],
  [0x102, 'EXC_ARM_DA_DEBUG'],
])

/** Signals of macOS have numbers of their own. */
const MAC_SIGNALS: ReadonlyMap<number, string> = new Map([
  [6, 'SIGABRT'],
  [9, 'SIGKILL'],
  [10, 'SIGBUS'],
  [12, 'SIGSYS'],
])

const machReason = ({ code, flags, address, parameters }: DumpCrash): CrashReason => {
  const name = MACH.get(code) ?? `Mach exception ${hex(code)}`
  const meta = { mach_exception: { exception: code, code: flags, name } }
  if (code === EXC_BAD_ACCESS) {
    return { name: `${name} / ${BAD_ACCESS.get(flags) ?? hex(flags)}`, address, meta }
  }
  if (code === EXC_SOFTWARE && flags === EXC_SOFT_SIGNAL) {
    const signal = Number((parameters[1] ?? 0n) & 0xffn)
    return { name: MAC_SIGNALS.get(signal) ?? SIGNALS.get(signal) ?? name, address: null, meta }
  }
  return { name, address: null, meta }
}
