import type { ReactNode } from 'react'
import { describeError } from '../lib/api.ts'
import { ErrorState } from './State.tsx'

interface LoadedProps<Data> {
  readonly query: { readonly data: Data | undefined; readonly error: Error | null; readonly refetch: () => unknown }
  /** The shape of what is coming. */
  readonly outline: ReactNode
  /** "The pages could not be loaded". */
  readonly failed: string
  /** Inside a panel. */
  readonly compact?: boolean
  readonly children: (data: Data) => ReactNode
}

/** What was asked for once it is there; before that its outline, or why it is not. */
export function Loaded<Data>({ query, outline, failed, compact = false, children }: LoadedProps<Data>) {
  const { data, error, refetch } = query
  if (data !== undefined) return children(data)
  if (error === null) return outline
  return <ErrorState compact={compact} title={failed} {...describeError(error)} onRetry={() => void refetch()} />
}
