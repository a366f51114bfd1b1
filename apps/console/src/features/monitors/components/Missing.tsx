import { ApiError } from '@firsthand/contract'
import { ButtonLink, ClockIcon, EmptyState } from '../../../ui/index.ts'

interface Asked {
  readonly data?: unknown
  readonly error: unknown
}

/** Asking again brings nothing: it is not there. */
export const isMissing = ({ data, error }: Asked): boolean =>
  data === undefined && error instanceof ApiError && error.status === 404

export function Missing({ org, title }: { readonly org: string; readonly title: string }) {
  return (
    <EmptyState
      page
      icon={ClockIcon}
      title={title}
      action={
        <ButtonLink to="/organizations/$org/monitors" params={{ org }}>
          Back to monitors
        </ButtonLink>
      }
    >
      It was deleted, or belongs to another organisation.
    </EmptyState>
  )
}
