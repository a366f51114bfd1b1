import { describeError } from '../../../lib/api.ts'
import { Button, Notice } from '../../../ui/index.ts'
import type { HealthOfReleases } from './queries.ts'

/** Over a list whose sessions could not be counted. */
export function HealthFailed({ health: { error, retry } }: { readonly health: HealthOfReleases }) {
  if (error === null) return null
  const { detail } = describeError(error)
  return (
    <Notice tone="warning">
      The sessions of these releases could not be counted. {detail} <Button onClick={retry}>Try again</Button>
    </Notice>
  )
}
