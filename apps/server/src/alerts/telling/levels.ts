import type { Message } from '../../channels/index.ts'

/** Worst first. */
const LEVELS = ['fatal', 'error', 'warning', 'info', 'ok'] as const

export const worstLevel = (levels: readonly string[]): Message['level'] =>
  LEVELS.find((level) => levels.includes(level)) ?? 'info'

export const isWorseLevel = (level: string, other: string): boolean =>
  level !== other && worstLevel([level, other]) === level
