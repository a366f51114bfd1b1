import { SCOPES, type ApiToken, type Scope } from '@firsthand/contract'
import { useState } from 'react'
import { describeError } from '../../../lib/api.ts'
import { formatDay } from '../../../lib/format.ts'
import { useNow } from '../../../lib/now.ts'
import { useForm } from '../../../lib/use-form.ts'
import {
  AlertDialog,
  Badge,
  Button,
  Checkbox,
  Field,
  FormDialog,
  Input,
  Notice,
  RelativeTime,
  Select,
  toast,
} from '../../../ui/index.ts'
import { TOKEN_PRESETS } from '../model/roles.ts'
import styles from './settings.module.css'

/** Lists and forms of tokens: those of an organisation and a person's own. */

const NEVER = 'never'
const EXPIRIES = [
  { value: NEVER, label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
] as const

/** @param onRevoke absent: whoever looks may not revoke it */
export function TokenRow({
  token,
  maker,
  onRevoke,
}: {
  readonly token: ApiToken
  /** After "created …": " by you"; empty where everything in the list is one's own. */
  readonly maker: string
  readonly onRevoke: (() => Promise<unknown>) | undefined
}) {
  const [revoking, setRevoking] = useState(false)
  const [busy, setBusy] = useState(false)
  const now = useNow(60_000)
  const expired = token.dateExpires !== null && Date.parse(token.dateExpires) < now
  const revoke = (): void => {
    if (onRevoke === undefined) return
    setBusy(true)
    onRevoke()
      .then(
        () => toast({ title: `Token ${token.name} revoked` }),
        (error: unknown) =>
          toast({ title: 'The token could not be revoked', description: describeError(error).detail, tone: 'error' }),
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
          {maker}
          {token.dateExpires === null
            ? null
            : ` · ${expired ? 'expired' : 'expires'} ${formatDay(Date.parse(token.dateExpires))}`}
        </p>
        <p className={styles.sub}>{token.scopes.join(' · ')}</p>
      </div>
      {onRevoke === undefined ? null : (
        <Button size="small" variant="danger" onClick={() => setRevoking(true)} aria-label={`Revoke ${token.name}`}>
          Revoke
        </Button>
      )}
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

/** A form for a new token, which it makes and hands on with its secret. */
export function TokenDialog({
  title,
  description,
  placeholder,
  offered,
  create,
  onClose,
}: {
  readonly title: string
  readonly description: string
  readonly placeholder: string
  /** Nobody can give a token more than they may do themselves. */
  readonly offered: readonly Scope[]
  readonly create: (token: NewToken) => Promise<void>
  readonly onClose: () => void
}) {
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
    submit: ({ name, scopes, expires }) =>
      create({ name, scopes: [...scopes], ...(expires !== NEVER && { expiresInDays: Number(expires) }) }),
  })
  return (
    <FormDialog
      form={form}
      title={title}
      size="medium"
      description={description}
      submitLabel="Create token"
      onClose={onClose}
    >
      <Field label="Name" error={form.errors.name}>
        <Input placeholder={placeholder} value={form.values.name} onValueChange={(value) => form.set('name', value)} />
      </Field>
      <Field label="Expires">
        <Select value={form.values.expires} onValueChange={(value) => form.set('expires', value)} options={EXPIRIES} />
      </Field>
      <ScopeField
        offered={offered}
        scopes={form.values.scopes}
        error={form.errors.scopes}
        onChange={(scopes) => form.set('scopes', scopes)}
      />
    </FormDialog>
  )
}

export interface NewToken {
  readonly name: string
  readonly scopes: Scope[]
  readonly expiresInDays?: number
}

/** All scopes that somebody has, in the order of the contract. */
export const scopesOf = (may: (scope: Scope) => boolean): readonly Scope[] => SCOPES.filter((scope) => may(scope))

/** What the token may do: a ready choice, or scope by scope. */
function ScopeField({
  offered,
  scopes,
  error,
  onChange,
}: {
  readonly offered: readonly Scope[]
  readonly scopes: readonly Scope[]
  readonly error: string | undefined
  readonly onChange: (scopes: readonly Scope[]) => void
}) {
  return (
    <fieldset className={styles.scopes}>
      <legend className={styles.name}>Permissions</legend>
      <div className={styles.presets}>
        {TOKEN_PRESETS.map((preset) => (
          <Button
            key={preset.label}
            size="small"
            onClick={() => onChange(preset.scopes.filter((scope) => offered.includes(scope)))}
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
            checked={scopes.includes(scope)}
            onCheckedChange={(checked) =>
              onChange(checked ? [...scopes, scope] : scopes.filter((other) => other !== scope))
            }
          />
        ))}
      </div>
      {error === undefined ? null : <Notice tone="error">{error}</Notice>}
    </fieldset>
  )
}
