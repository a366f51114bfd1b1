import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Link, PageBody, PageHeader } from '../../src/ui/index.ts'
import { toysQuery } from './manifest.ts'

export function ToyScreen() {
  const { org = '' } = useParams({ strict: false })
  const { data = [] } = useQuery(toysQuery(org))
  return (
    <>
      <PageHeader title="Toys" />
      <PageBody>
        <ul>
          {data.map((toy) => (
            <li key={toy}>{toy}</li>
          ))}
        </ul>
        <Link to="/organizations/$org/feedback" params={{ org }} search={{ mailbox: 'spam' }}>
          Spam
        </Link>
        {/* @ts-expect-error a mailbox that does not exist: search parameters are checked against the feature's manifest */}
        <Link to="/organizations/$org/feedback" params={{ org }} search={{ mailbox: 'nowhere' }} hidden />
        {/* @ts-expect-error a page that no feature of the list declares */}
        <Link to="/organizations/$org/nowhere" params={{ org }} hidden />
      </PageBody>
    </>
  )
}
