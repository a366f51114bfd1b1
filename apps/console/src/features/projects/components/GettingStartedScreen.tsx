import { updateProject } from '@firsthand/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api, describeError } from '../../../lib/api.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import { useAccess } from '../../../lib/shared-queries.ts'
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
import { PLATFORMS, platformOf, readDsn } from '../model/platforms.ts'
import { keysQuery, projectQuery } from '../queries.ts'
import { FirstEvent } from './FirstEvent.tsx'
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
  const platform = platformOf(chosen ?? project.data.platform)
  const changePlatform = (next: string): void => {
    setChosen(next)
    if (!may('project:write')) return
    void api
      .call(updateProject, { params: { org, project: slug }, body: { platform: next } })
      .then((changed) => queryClient.setQueryData(projectQuery(org, slug).queryKey, changed))
      .catch((error: unknown) =>
        toast({ title: 'The platform was not saved.', description: describeError(error).detail, tone: 'error' }),
      )
  }

  return (
    <>
      <PageHeader
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
      <PageBody className={styles.body}>
        <FirstEvent org={org} project={project.data} />
        {key === undefined ? (
          <Notice tone="warning">
            This project has no client key, so nothing can report to it. Create one in its settings under Keys.
          </Notice>
        ) : (
          <>
            <Panel
              title="DSN"
              subtitle="the address that your application reports to"
              actions={<CopyButton text={key.dsn.public} label="DSN" withText />}
            >
              <code className={styles.dsn}>{key.dsn.public}</code>
              <p className={styles.note}>
                Already reporting to Sentry? Exchange the DSN and you are done. It may be public: it only lets events
                in.
              </p>
            </Panel>
            <ol className={styles.steps}>
              {platform.steps(readDsn(key.dsn.public)).map((step, index) => (
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
          </>
        )}
      </PageBody>
    </>
  )
}
