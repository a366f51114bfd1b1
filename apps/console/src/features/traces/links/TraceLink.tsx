import { Link } from '../../../ui/index.ts'

const ID_CHARACTERS = 8

/** From a sample to its span in its trace. */
export function TraceLink({
  org,
  trace,
  span,
}: {
  readonly org: string
  readonly trace: string
  readonly span: string
}) {
  return (
    <Link to="/organizations/$org/traces/$trace" params={{ org, trace }} search={{ span }}>
      {trace.slice(0, ID_CHARACTERS)}
    </Link>
  )
}
