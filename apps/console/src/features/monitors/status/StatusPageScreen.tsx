import type { StatusPage } from '@firsthand/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'

import { usePageTitle } from '../../../lib/page-title.ts'
import { useAccess } from '../../../lib/shared-queries.ts'
import { useForm } from '../../../lib/use-form.ts'
import {
  Button,
  Checkbox,
  CopyButton,
  ExternalLink,
  Field,
  FieldStack,
  Input,
  Link,
  Loaded,
  Notice,
  PageBody,
  PageHeader,
  Panel,
  SkeletonRows,
  Switch,
  toast,
} from '../../../ui/index.ts'
import { everyMonitorQuery } from '../queries.ts'
import { uptimeListQuery } from '../uptime/queries.ts'
import { IncidentsPanel } from './IncidentsPanel.tsx'
import { savePage, statusKey, statusPageQuery } from './queries.ts'
import styles from './StatusPageScreen.module.css'

/** The status page: what it shows and to whom, and what people say on it. */
export function StatusPageScreen() {
  usePageTitle('Status page')
  const { org } = useParams({ from: '/signed-in/organizations/$org/monitors/status-page' })
  const page = useQuery(statusPageQuery(org))
  return (
    <>
      <PageHeader title="Status page" width="narrow">
        <Link look="quiet" to="/organizations/$org/monitors" params={{ org }}>
          All monitors
        </Link>
      </PageHeader>
      <PageBody width="narrow">
        <Loaded
          query={page}
          outline={<SkeletonRows rows={8} label="Loading the status page" />}
          failed="The status page could not be loaded"
        >
          {(data) => (
            <div className={styles.page}>
              <Address page={data} />
              <IncidentsPanel org={org} components={data.components.map(({ name }) => name)} />
              <Settings key={JSON.stringify(data)} org={org} page={data} />
            </div>
          )}
        </Loaded>
      </PageBody>
    </>
  )
}

function Address({ page }: { readonly page: StatusPage }) {
  if (page.link === null) return <Notice tone="info">Nobody sees the page: it is off.</Notice>
  return (
    <Notice tone="info">
      <span className={styles.address}>
        <ExternalLink href={page.link}>{page.link}</ExternalLink>
        <CopyButton text={page.link} label="Copy the address" />
        <span>{page.isPublic ? 'Everybody can see it.' : 'Those who have this link can see it.'}</span>
      </span>
    </Notice>
  )
}

interface Values {
  readonly title: string
  readonly slug: string
  readonly isOn: boolean
  readonly isPublic: boolean
  readonly components: StatusPage['components']
}

function Settings({ org, page }: { readonly org: string; readonly page: StatusPage }) {
  const client = useQueryClient()
  const access = useAccess(org)
  const mayWrite = access('org:write')
  const { link: _link, ...initial } = page
  const form = useForm<Values>({
    initial,
    validate: ({ title }) => (title.trim() === '' ? { title: 'Give it a title.' } : {}),
    submit: async (values) => {
      await savePage(org, { ...values, components: [...values.components] })
      toast({ title: 'The status page is saved' })
      void client.invalidateQueries({ queryKey: statusKey(org) })
    },
  })
  const { busy, errors, failure, set, values } = form
  return (
    <Panel title="What it shows" content="padded">
      <form noValidate onSubmit={form.onSubmit} className={styles.form}>
        {failure === undefined ? null : <Notice tone="error">{failure}</Notice>}
        <Switch
          label="Show the page"
          help="It works without JavaScript, and also while the database is down."
          checked={values.isOn}
          disabled={!mayWrite}
          onCheckedChange={(isOn) => set('isOn', isOn)}
        />
        <Switch
          label="To everybody"
          help="Otherwise to those who have its link."
          checked={values.isPublic}
          disabled={!mayWrite}
          onCheckedChange={(isPublic) => set('isPublic', isPublic)}
        />
        <FieldStack>
          <Field label="Title" error={errors.title}>
            <Input value={values.title} disabled={!mayWrite} onValueChange={(title) => set('title', title)} />
          </Field>
          <Field label="Slug" help="In its address: /status/…" error={errors.slug}>
            <Input mono value={values.slug} disabled={!mayWrite} onValueChange={(slug) => set('slug', slug)} />
          </Field>
        </FieldStack>
        <Components
          org={org}
          value={values.components}
          disabled={!mayWrite}
          onChange={(components) => set('components', components)}
        />
        {mayWrite ? (
          <div className={styles.buttons}>
            <Button type="submit" variant="primary" busy={busy}>
              Save the page
            </Button>
          </div>
        ) : null}
      </form>
    </Panel>
  )
}

/** Monitors and addresses that stand on the page. */
function Components({
  disabled,
  onChange,
  org,
  value,
}: {
  readonly org: string
  readonly value: StatusPage['components']
  readonly disabled: boolean
  readonly onChange: (components: StatusPage['components']) => void
}) {
  const { data: monitors = [] } = useQuery(everyMonitorQuery(org))
  const { data: checks = [] } = useQuery(uptimeListQuery(org, { project: [] }))
  const offered = [
    ...checks.map(({ id, name }) => ({ id, name, source: 'uptime' as const, kind: 'checked by this server' })),
    ...monitors.map(({ id, name }) => ({ id, name, source: 'monitor' as const, kind: 'sends check-ins' })),
  ]
  return (
    <fieldset className={styles.components}>
      <legend className={styles.legend}>Systems</legend>
      {offered.length === 0 ? <p className={styles.none}>There is no monitor and no address yet.</p> : null}
      {offered.map(({ id, kind, name, source }) => {
        const chosen = value.find((one) => one.id === id)
        return (
          <div key={id} className={styles.component}>
            <Checkbox
              checked={chosen !== undefined}
              disabled={disabled}
              label={
                <>
                  {name} <span className={styles.kind}>{kind}</span>
                </>
              }
              onCheckedChange={(isChosen) =>
                onChange(isChosen ? [...value, { id, name, source }] : value.filter((one) => one.id !== id))
              }
            />
            {chosen === undefined ? null : (
              <Input
                aria-label={`What ${name} is called on the page`}
                value={chosen.name}
                disabled={disabled}
                onValueChange={(called) =>
                  onChange(value.map((one) => (one.id === id ? { ...one, name: called } : one)))
                }
              />
            )}
          </div>
        )
      })}
    </fieldset>
  )
}
