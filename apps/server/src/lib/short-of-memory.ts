import { StoreFault } from './store-fault.ts'

/** MEMORY_LIMIT_EXCEEDED of ClickHouse. */
const MEMORY = '241'

/** Whether all that telemetry was asked at once needed more memory than it has, whatever this one statement needed. */
export const isShortOfMemory = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  const { code } = error as { readonly code?: unknown }
  return (code === MEMORY && error.message.includes('(total)')) || isShortOfMemory(error.cause)
}

export const shortOfMemory = (cause: unknown): StoreFault =>
  new StoreFault(
    'More is asked of the telemetry at this moment than it can answer at once. Try again in some seconds.',
    {
      cause,
    },
  )
