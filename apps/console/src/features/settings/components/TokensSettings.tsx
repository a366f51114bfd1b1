import { createApiToken, deleteApiToken, revokeOwnToken, type ApiToken } from '@firsthand/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../lib/api.ts'
import { useAccess, useSession } from '../../../lib/shared-queries.ts'
import { showSaved } from '../../../lib/shown-data.ts'
import { Button, EmptyState, KeyIcon, Panel, PlusIcon } from '../../../ui/index.ts'
import { tokensQuery } from '../queries.ts'
import { SecretDialog } from './SecretDialog.tsx'
import { SettingsPage } from './SettingsPage.tsx'
import { scopesOf, TokenDialog, TokenRow, type NewToken } from './tokens.tsx'
import styles from './settings.module.css'

/** Tokens for programs: sentry-cli, Grafana, scripts. */
export function TokensSettings() {
  const { org } = useParams({ from: '/signed-in/organizations/$org/settings/tokens' })
  const tokens = useQuery(tokensQuery(org))
  const queryClient = useQueryClient()
  const { user } = useSession()
  const may = useAccess(org)
  const mayWrite = may('org:write')
  const [creating, setCreating] = useState(false)
  const [secret, setSecret] = useState<{ readonly name: string; readonly token: string } | null>(null)
  const create = async (body: NewToken): Promise<void> => {
    const { token, ...created } = await api.call(createApiToken, { params: { org }, body })
    showSaved(queryClient, tokensQuery(org).queryKey, (old) => [created, ...(old ?? [])])
    setCreating(false)
    setSecret({ name: created.name, token })
  }
  const revoke = async (token: ApiToken): Promise<void> => {
    await (mayWrite
      ? api.call(deleteApiToken, { params: { org, token: token.id } })
      : api.call(revokeOwnToken, { params: { token: token.id } }))
    showSaved(queryClient, tokensQuery(org).queryKey, (old) => old?.filter((other) => other.id !== token.id))
  }
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
                  <TokenRow
                    key={token.id}
                    token={token}
                    maker={makerOf(token, user?.id)}
                    onRevoke={mayWrite || token.createdBy.id === user?.id ? () => revoke(token) : undefined}
                  />
                ))}
              </ul>
            </Panel>
          )}
          {creating ? (
            <TokenDialog
              title="New API token"
              description="It acts in your name. It can never do more than you can, and stops working when you leave the organisation."
              placeholder="sentry-cli in CI"
              offered={scopesOf(may)}
              create={create}
              onClose={() => setCreating(false)}
            />
          ) : null}
          {secret === null ? null : (
            <SecretDialog
              title={`Token ${secret.name}`}
              description="Copy it now: it is shown only once and cannot be looked up later."
              secret={secret.token}
              label="token"
              onClose={() => setSecret(null)}
            />
          )}
        </>
      )}
    </SettingsPage>
  )
}

const makerOf = ({ createdBy, isMakerKnown }: ApiToken, own: string | undefined): string => {
  const maker = createdBy.id === own ? 'you' : createdBy.name || createdBy.email
  return isMakerKnown ? ` by ${maker}` : ` before creators were recorded; belongs to ${maker}`
}
