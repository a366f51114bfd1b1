import { createApiToken, deleteApiToken, SCOPES, type ApiToken, type Scope } from '@firsthand/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api, describeError } from '../../../lib/api.ts'
import { formatDay } from '../../../lib/format.ts'
import { useNow } from '../../../lib/now.ts'
import { useAccess } from '../../../lib/shared-queries.ts'
import { useForm } from '../../../lib/use-form.ts'
import {
  AlertDialog,
  Badge,
  Button,
  Checkbox,
  CopyButton,
  Dialog,
  EmptyState,
  Field,
  FieldStack,
  Input,
  KeyIcon,
  Notice,
  Panel,
  PlusIcon,
  RelativeTime,
  Select,
  toast,
} from '../../../ui/index.ts'
import { TOKEN_PRESETS } from '../model/roles.ts'
import { tokensQuery } from '../queries.ts'
import { SettingsPage } from './SettingsPage.tsx'
import styles from './settings.module.css'

const NEVER = 'never'
const EXPIRIES = [
  { value: NEVER, label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
] as const

/** Tokens for programs: sentry-cli, Grafana, scripts. */
export function TokensSettings() {
  const { org } = useParams({ from: '/signed-in/organizations/$org/settings/tokens' })
  const tokens = useQuery(tokensQuery(org))
  const mayWrite = useAccess(org)('org:write')
  const [creating, setCreating] = useState(false)
  const [secret, setSecret] = useState<{ readonly name: string; readonly token: string } | null>(null)
  return (
    <SettingsPage
      title="API tokens"
      what="The tokens"
      mayWrite={mayWrite}
      query={tokens}
      actions={
        mayWrite ? (
          <Button variant="primary" icon={PlusIcon} onClick={() => setCreating(true)}>
            New token
          </Button>
        ) : undefined
      }
    >
      {(data) => (
        <>
          {data.length === 0 ? (
            <EmptyState icon={KeyIcon} title="No tokens yet">
              A token lets a program use the API of this organisation: sentry-cli, Grafana’s Sentry data source, your
              own scripts.
            </EmptyState>
          ) : (
            <Panel content="rows">
              <ul className={styles.rows}>
                {data.map((token) => (
                  <TokenRow key={token.id} org={org} token={token} mayWrite={mayWrite} />
                ))}
              </ul>
            </Panel>
          )}
          {creating ? (
            <TokenDialog
              org={org}
              onClose={() => setCreating(false)}
              onCreated={(name, token) => {
                setCreating(false)
                setSecret({ name, token })
              }}
            />
          ) : null}
          {secret === null ? null : (
            <Dialog
              open
              onOpenChange={() => setSecret(null)}
              title={`Token ${secret.name}`}
              description="Copy it now: it is shown only this once, and the server keeps no copy."
              footer={
                <>
                  <Button onClick={() => setSecret(null)}>Done</Button>
                  <CopyButton text={secret.token} label="token" withText size="normal" variant="primary" />
                </>
              }
            >
              <div className={styles.secret}>
                <code>{secret.token}</code>
              </div>
            </Dialog>
          )}
        </>
      )}
    </SettingsPage>
  )
}

function TokenRow({
  org,
  token,
  mayWrite,
}: {
  readonly org: string
  readonly token: ApiToken
  readonly mayWrite: boolean
}) {
  const queryClient = useQueryClient()
  const [revoking, setRevoking] = useState(false)
  const [busy, setBusy] = useState(false)
  const now = useNow(60_000)
  const expired = token.dateExpires !== null && Date.parse(token.dateExpires) < now
  const revoke = (): void => {
    setBusy(true)
    api
      .call(deleteApiToken, { params: { org, token: token.id } })
      .then(
        () => {
          queryClient.setQueryData(tokensQuery(org).queryKey, (old) => old?.filter((other) => other.id !== token.id))
          toast({ title: `Token ${token.name} revoked` })
        },
        (error: unknown) =>
          toast({ title: 'The token was not revoked.', description: describeError(error).detail, tone: 'error' }),
      )
      .finally(() => {
        setBusy(false)
        setRevoking(false)
      })
  }
  return (
    <li className={styles.row}>
      <div className={styles.main}>
        <p className={styles.name}>
          {token.name} <code className={styles.muted}>…{token.tokenLastCharacters}</code>{' '}
          {expired ? <Badge tone="warning">Expired</Badge> : null}
        </p>
        <p className={styles.sub}>
          {token.dateLastUsed === null ? (
            'never used'
          ) : (
            <>
              used <RelativeTime time={token.dateLastUsed} />
            </>
          )}{' '}
          · created <RelativeTime time={token.dateCreated} />
          {token.createdBy === null ? null : ` by ${token.createdBy.name || token.createdBy.email}`}
          {token.dateExpires === null
            ? null
            : ` · ${expired ? 'expired' : 'expires'} ${formatDay(Date.parse(token.dateExpires))}`}
        </p>
        <p className={styles.sub}>{token.scopes.join(' · ')}</p>
      </div>
      {mayWrite ? (
        <Button size="small" variant="danger" onClick={() => setRevoking(true)} aria-label={`Revoke ${token.name}`}>
          Revoke
        </Button>
      ) : null}
      <AlertDialog
        open={revoking}
        onOpenChange={setRevoking}
        title={`Revoke token ${token.name}?`}
        description="Programs that use it are refused at once. This cannot be undone."
        confirmLabel="Revoke token"
        busy={busy}
        onConfirm={revoke}
      />
    </li>
  )
}

function TokenDialog({
  org,
  onClose,
  onCreated,
}: {
  readonly org: string
  readonly onClose: () => void
  readonly onCreated: (name: string, token: string) => void
}) {
  const queryClient = useQueryClient()
  // Nobody can give a token more than they may do themselves.
  const may = useAccess(org)
  const offered = SCOPES.filter((scope) => may(scope))
  const form = useForm<{ name: string; scopes: readonly Scope[]; expires: string }>({
    initial: {
      name: '',
      scopes: (TOKEN_PRESETS[0]?.scopes ?? []).filter((scope) => offered.includes(scope)),
      expires: NEVER,
    },
    validate: ({ name, scopes }) => ({
      ...(name.trim() === '' && { name: 'Name the token after the program that will use it.' }),
      ...(scopes.length === 0 && { scopes: 'Choose at least one scope.' }),
    }),
    submit: async ({ name, scopes, expires }) => {
      const { token, ...created } = await api.call(createApiToken, {
        params: { org },
        body: { name, scopes: [...scopes], ...(expires !== NEVER && { expiresInDays: Number(expires) }) },
      })
      queryClient.setQueryData(tokensQuery(org).queryKey, (old) => [created, ...(old ?? [])])
      onCreated(created.name, token)
    },
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title="New API token"
      onSubmit={form.onSubmit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={form.busy}>
            Create token
          </Button>
        </>
      }
    >
      <FieldStack>
        <Field label="Name" error={form.errors.name}>
          <Input
            placeholder="sentry-cli in CI"
            value={form.values.name}
            onValueChange={(value) => form.set('name', value)}
          />
        </Field>
        <Field label="Expires">
          <Select
            value={form.values.expires}
            onValueChange={(value) => form.set('expires', value)}
            options={EXPIRIES}
          />
        </Field>
        <fieldset className={styles.scopes}>
          <legend className={styles.name}>May</legend>
          <div className={styles.presets}>
            {TOKEN_PRESETS.map((preset) => (
              <Button
                key={preset.label}
                size="small"
                onClick={() =>
                  form.set(
                    'scopes',
                    preset.scopes.filter((scope) => offered.includes(scope)),
                  )
                }
              >
                {preset.label}
              </Button>
            ))}
          </div>
          <div className={styles.grid}>
            {offered.map((scope) => (
              <Checkbox
                key={scope}
                label={<code>{scope}</code>}
                checked={form.values.scopes.includes(scope)}
                onCheckedChange={(checked) =>
                  form.set(
                    'scopes',
                    checked ? [...form.values.scopes, scope] : form.values.scopes.filter((other) => other !== scope),
                  )
                }
              />
            ))}
          </div>
          {form.errors.scopes === undefined ? null : <Notice tone="error">{form.errors.scopes}</Notice>}
        </fieldset>
        {form.failure === undefined ? null : <Notice tone="error">{form.failure}</Notice>}
      </FieldStack>
    </Dialog>
  )
}
