import type { RunReport } from './file-reporter.ts'

export interface WholeRun extends Omit<RunReport, 'titles'> {
  readonly parts: readonly { readonly name: string; readonly seconds: number }[]
  /** Seconds from the start to the end. */
  readonly total: number
}

export declare const summary: (run: WholeRun) => string
