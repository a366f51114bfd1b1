import { shortVersion } from '../../../lib/short-version.ts'
import { Link, VisibleText } from '../../../ui/index.ts'

/** From wherever a release is named to its page. */
export function ReleaseLink({
  org,
  version,
  whole = false,
}: {
  readonly org: string
  readonly version: string
  /** With the name of its package. */
  readonly whole?: boolean
}) {
  const shown = whole ? version : shortVersion(version)
  return (
    <Link
      to="/organizations/$org/releases/$version"
      params={{ org, version }}
      {...(shown !== version && { title: version })}
    >
      <VisibleText text={shown} />
    </Link>
  )
}
