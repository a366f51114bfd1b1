import { CodeBlock, EmptyState, ProjectIcon } from '../../../ui/index.ts'
import { useSetUp } from '../../projects/set-up/index.ts'
import styles from './NoReleases.module.css'

/** Nothing named a release yet: what does. */
export function NoReleases({ org }: { readonly org: string }) {
  const example = useSetUp(org, [])
  return (
    <EmptyState icon={ProjectIcon} title="No release yet">
      <p>
        A release is here as soon as an event, an upload of source maps or a program names it. In the SDK one line does:
      </p>
      {example === null ? null : (
        <div className={styles.code}>
          <CodeBlock
            wrap
            title="Where the SDK is set up"
            code={`Sentry.init({\n  dsn: '${example.dsn}',\n  release: '${example.project.slug}@1.0.0',\n})`}
          />
          <CodeBlock
            wrap
            title="Or where the build is, with the commits that are in it"
            code={`npx @sentry/cli --url ${window.location.origin} releases new --org ${org} --project ${example.project.slug} ${example.project.slug}@1.0.0\nnpx @sentry/cli --url ${window.location.origin} releases set-commits --org ${org} --local ${example.project.slug}@1.0.0`}
          />
        </div>
      )}
    </EmptyState>
  )
}
