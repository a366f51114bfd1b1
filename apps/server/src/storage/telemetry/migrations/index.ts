import type { Migration } from '../../migration.ts'
import { statements as initial } from './0001-initial.ts'
import { statements as fastReads } from './0002-fast-reads.ts'
import { statements as sharedStacks } from './0003-shared-stacks.ts'

/** In order; a released one is never changed. Every statement may be repeated without harm. */
export const telemetryMigrations: readonly Migration[] = [
  { number: 1, name: 'initial', statements: initial },
  { number: 2, name: 'fast reads', statements: fastReads },
  { number: 3, name: 'shared stacks', statements: sharedStacks },
]
