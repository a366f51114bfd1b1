import { createPersonalToken, revokeOwnToken } from '@firsthand/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, describeError } from '../../../lib/api.ts'
import { useSession } from '../../../lib/shared-queries.ts'
import { showSaved } from '../../../lib/shown-data.ts'
import { Button, ErrorState, Panel, PlusIcon, SkeletonRows } from '../../../ui/index.ts'
import { scopesOf, SecretDialog, TokenDialog, TokenRow, type NewToken } from '../../settings/index.ts'
import { personalTokensQuery } from '../queries.ts'
import styles from './AccountScreen.module.css'

/** Tokens with which a program is this person, in all of their organisations. */
export function PersonalTokens() {
  const queryClient = useQueryClient()
  const tokens = useQuery(personalTokensQuery)
  const { organizations } = useSession()
  const [creating, setCreating] = useState(false)
  const [secret, setSecret] = useState<{ readonly name: string; readonly token: string } | null>(null)
  const create = async (body: NewToken): Promise<void> => {
    const { token, ...created } = await api.call(createPersonalToken, { body })
    showSaved(queryClient, personalTokensQuery.queryKey, (old) => [created, ...(old ?? [])])
    setCreating(false)
    setSecret({ name: created.name, token })
  }
  const revoke = async (id: string): Promise<void> => {
    await api.call(revokeOwnToken, { params: { token: id } })
    showSaved(queryClient, personalTokensQuery.queryKey, (old) => old?.filter((other) => other.id !== id))
  }
  return (
    <Panel
      title="Personal tokens"
      subtitle="Programs that act as you, in all your organisations"
      content="rows"
      actions={
        <Button size="small" icon={PlusIcon} onClick={() => setCreating(true)}>
          New token
        </Button>
      }
    >
      {tokens.data === undefined ? (
        tokens.isError ? (
          <ErrorState
            compact
            title="The tokens could not be loaded"
            {...describeError(tokens.error)}
            onRetry={() => void tokens.refetch()}
          />
        ) : (
          <SkeletonRows rows={1} rowHeight={52} label="Loading the tokens" />
        )
      ) : tokens.data.length === 0 ? (
        <p className={styles.none}>
          None yet. An assistant by MCP, the sentry command and your own scripts take one. Tokens of one organisation
          are among its settings.
        </p>
      ) : (
        <ul>
          {tokens.data.map((token) => (
            <TokenRow key={token.id} token={token} maker="" onRevoke={() => revoke(token.id)} />
          ))}
        </ul>
      )}
      {creating ? (
        <TokenDialog
          title="New personal token"
          description="It acts as you in all your organisations, and never does more than you may do there."
          placeholder="Assistant on my laptop"
          offered={scopesOf((scope) => organizations.some(({ access }) => access.includes(scope)))}
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
    </Panel>
  )
}
