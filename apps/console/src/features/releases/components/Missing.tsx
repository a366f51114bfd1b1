import { ApiError } from '@firsthand/contract'
import { ButtonLink, EmptyState, ProjectIcon } from '../../../ui/index.ts'

/** Asking again brings nothing: it is not there. */
export const isMissing = ({ data, error }: { readonly data?: unknown; readonly error: unknown }): boolean =>
  data === undefined && error instanceof ApiError && error.status === 404

export function Missing({ org }: { readonly org: string }) {
  return (
    <EmptyState
      page
      icon={ProjectIcon}
      title="Release not found"
      action={
        <ButtonLink to="/organizations/$org/releases" params={{ org }}>
          Back to releases
        </ButtonLink>
      }
    >
      No event, upload or program has named it here, or it was deleted.
    </EmptyState>
  )
}
