import { EmptyState, OrganizationIcon } from '../ui/index.ts'
import { LogOutButton } from './log-out.tsx'

/** Signed in, but a member of nothing: the last membership was taken away. */
export function NoOrganizationPage() {
  return (
    <main>
      <EmptyState
        page
        icon={OrganizationIcon}
        title="You are not a member of any organisation"
        action={<LogOutButton />}
      >
        Ask an owner or admin of your organisation for an invitation link, then open it here.
      </EmptyState>
    </main>
  )
}
