import { updateProject } from '@firsthand/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api, describeError } from '../../../lib/api.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import { useAccess } from '../../../lib/shared-queries.ts'
import { showSaved } from '../../../lib/shown-data.ts'
import {
  ButtonLink,
  CodeBlock,
  CopyButton,
  ErrorState,
  Notice,
  PageBody,
  PageHeader,
  Panel,
  Select,
  SkeletonRows,
  toast,
} from '../../../ui/index.ts'
import { agentPrompt } from '../model/agent-prompt.ts'
import { PLATFORMS, platformOf, readDsn, scriptTag } from '../model/platforms.ts'
import { keysQuery, projectQuery } from '../queries.ts'
import { FirstEvent } from './FirstEvent.tsx'
import { TestEvent } from './TestEvent.tsx'
import { WidgetPreview } from './WidgetPreview.tsx'
import styles from './GettingStartedScreen.module.css'

/** The instructions of a project's platform, with its DSN in place, and the first event as it arrives. */
export function GettingStartedScreen() {
  const { org, project: slug } = useParams({ from: '/signed-in/organizations/$org/projects/$project/getting-started' })
  const queryClient = useQueryClient()
  const may = useAccess(org)
  const project = useQuery(projectQuery(org, slug))
  const keys = useQuery(keysQuery(org, slug))
  const [chosen, setChosen] = useState<string>()
  usePageTitle(`Set up ${project.data?.name ?? slug}`)

  if (project.isError || keys.isError) {
    const { detail, digest } = describeError(project.error ?? keys.error)
    return (
      <ErrorState
        title="The project could not be loaded"
        detail={detail}
        digest={digest}
        onRetry={() => {
          void project.refetch()
          void keys.refetch()
        }}
      />
    )
  }
  if (project.data === undefined || keys.data === undefined) {
    return (
      <PageBody>
        <SkeletonRows rows={8} rowHeight={48} label="Loading the instructions" />
      </PageBody>
    )
  }

  const key = keys.data.find((candidate) => candidate.isActive) ?? keys.data[0]
  const dsn = key === undefined ? undefined : readDsn(key.dsn.public)
  const platform = platformOf(chosen ?? project.data.platform)
  const changePlatform = (next: string): void => {
    setChosen(next)
    if (!may('project:write')) return
    void api
      .call(updateProject, { params: { org, project: slug }, body: { platform: next } })
      .then((changed) => showSaved(queryClient, projectQuery(org, slug).queryKey, changed))
      .catch((error: unknown) =>
        toast({ title: 'The platform could not be saved', description: describeError(error).detail, tone: 'error' }),
      )
  }

  return (
    <>
      <PageHeader
        width="narrow"
        title={`Set up ${project.data.name}`}
        actions={
          <ButtonLink to="/organizations/$org/issues" params={{ org }} search={{ project: [project.data.id] }}>
            Go to its issues
          </ButtonLink>
        }
      >
        <Select
          look="bar"
          aria-label="Platform"
          value={platform.id}
          onValueChange={changePlatform}
          options={PLATFORMS.map((option) => ({ value: option.id, label: option.name }))}
        />
      </PageHeader>
      <PageBody width="narrow">
        <FirstEvent org={org} project={project.data} action={dsn === undefined ? undefined : <TestEvent dsn={dsn} />} />
        {key === undefined || dsn === undefined ? (
          <Notice tone="warning">
            This project has no client key, so nothing can report to it. Create one in its settings under Keys.
          </Notice>
        ) : (
          <Instructions address={key.dsn.public} dsn={dsn} platform={platform} projectName={project.data.name} />
        )}
      </PageBody>
    </>
  )
}

/** What to do, step by step, for one platform; and what somebody else may be given to do it. */
function Instructions({
  address,
  dsn,
  platform,
  projectName,
}: {
  /** The DSN as text. */
  readonly address: string
  readonly dsn: NonNullable<ReturnType<typeof readDsn>>
  readonly platform: ReturnType<typeof platformOf>
  readonly projectName: string
}) {
  const prompt = agentPrompt(platform, dsn, projectName)
  return (
    <>
      <Panel
        title="DSN"
        subtitle="the address your application sends to"
        actions={<CopyButton text={address} label="DSN" withText />}
      >
        <code className={styles.dsn}>{address}</code>
        <p className={styles.note}>
          Already reporting to Sentry? Replace the DSN and you are done. It may be public: all it allows is sending
          events.
        </p>
      </Panel>
      {platform.group === 'Browser' ? (
        <Panel title="One tag is enough" subtitle="in any page, with nothing to install">
          <CodeBlock title="HTML, as early in the head as possible" code={scriptTag(dsn)} wrap />
          <p className={styles.note}>
            It reports errors from the first moment on and loads the rest in the background. With{' '}
            <code>data-traces-sample-rate="0.2"</code> it also measures how fast one page view in five is. Or put an SDK
            into your bundle:
          </p>
        </Panel>
      ) : null}
      <ol className={styles.steps}>
        {platform.steps(dsn).map((step, index) => (
          <li key={step.title} className={styles.step}>
            <h2 className={styles.title}>
              <span className={styles.number}>{index + 1}</span>
              {step.title}
            </h2>
            {step.text === undefined ? null : <p className={styles.text}>{step.text}</p>}
            {step.code === undefined ? null : <CodeBlock title={step.file} code={step.code} />}
          </li>
        ))}
      </ol>
      <Panel
        title="Let a coding agent do it"
        subtitle="the steps above as a prompt, with your DSN"
        actions={<CopyButton text={prompt} label="prompt" withText />}
      >
        <details>
          <summary className={styles.summary}>Read the prompt</summary>
          <CodeBlock title="Prompt" code={prompt} wrap />
        </details>
      </Panel>
      <WidgetPreview dsn={dsn} />
    </>
  )
}
