import { ButtonLink, UserIcon } from '../../../ui/index.ts'

/** From wherever somebody is named to all that they ran into and said. */
export function PersonLink({
  org,
  user,
  label = 'This person',
}: {
  readonly org: string
  readonly user: string
  readonly label?: string
}) {
  return (
    <ButtonLink
      variant="ghost"
      size="small"
      icon={UserIcon}
      to="/organizations/$org/people"
      params={{ org }}
      search={{ user }}
    >
      {label}
    </ButtonLink>
  )
}
