import type { Codeowners } from '@firsthand/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { describeError } from '../../../lib/api.ts'
import { showSaved } from '../../../lib/shown-data.ts'
import { Button, Field, Notice, Panel, Textarea, toast } from '../../../ui/index.ts'
import { namesText, readNames } from '../model/names.ts'
import { codeownersQuery, removeCodeowners, saveCodeowners } from '../queries.ts'
import { Problems } from './Problems.tsx'
import styles from './ProjectOwnership.module.css'

interface CodeownersProps {
  readonly org: string
  /** Slug. */
  readonly project: string
  readonly file: Codeowners | null
  readonly mayWrite: boolean
}

/** The CODEOWNERS file of the project's repository, pasted. */
export function CodeownersPanel(props: CodeownersProps) {
  const { file, mayWrite } = props
  const { failure, isBusy, isChanged, names, namesError, raw, remove, save, setNames, setRaw } = useCodeowners(props)
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <Panel
        title="CODEOWNERS"
        subtitle="of GitHub or GitLab; the rules above win over it"
        footer={
          mayWrite ? (
            <>
              <Button type="submit" variant="primary" busy={isBusy} disabled={!isChanged || raw.trim() === ''}>
                Save
              </Button>
              {file === null ? null : (
                <Button variant="ghost" disabled={isBusy} onClick={() => void remove(file)}>
                  Remove
                </Button>
              )}
            </>
          ) : undefined
        }
      >
        <div className={styles.stack}>
          <Field label="The file" wide help="Paste it. Lines without an owner say that nobody owns what they match.">
            <Textarea
              mono
              rows={6}
              className={styles.text}
              placeholder={'* @acme/everybody\n/src/checkout/ @acme/payments'}
              value={raw}
              disabled={!mayWrite}
              onValueChange={setRaw}
            />
          </Field>
          <Field
            label="Names of the file"
            optional
            wide
            error={namesError}
            help="Whom a name means, one a line. A name like @acme/web is the team #web, unless something else stands here."
          >
            <Textarea
              mono
              rows={2}
              placeholder="@octocat anna@shop.example"
              value={names}
              disabled={!mayWrite}
              onValueChange={setNames}
            />
          </Field>
          {failure === undefined ? null : <Notice tone="error">{failure}</Notice>}
          <Problems problems={file?.problems ?? []} />
        </div>
      </Panel>
    </form>
  )
}

/** The texts in the fields, and what becomes of them. */
function useCodeowners({ org, project, file }: Omit<CodeownersProps, 'mayWrite'>) {
  const client = useQueryClient()
  const [raw, setRaw] = useState(file?.raw ?? '')
  const [names, setNames] = useState(namesText(file?.names ?? {}))
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [namesError, setNamesError] = useState<string>()
  const isChanged = raw !== (file?.raw ?? '') || names !== namesText(file?.names ?? {})

  const show = (saved: Codeowners | null): void => {
    showSaved(client, codeownersQuery(org, project).queryKey, saved)
    setRaw(saved?.raw ?? '')
    setNames(namesText(saved?.names ?? {}))
  }
  const work = async (action: () => Promise<void>): Promise<void> => {
    setBusy(true)
    setFailure(undefined)
    try {
      await action()
    } catch (error) {
      setFailure(describeError(error).detail)
    } finally {
      setBusy(false)
    }
  }
  const save = async (): Promise<void> => {
    const read = readNames(names)
    if ('error' in read) {
      setNamesError(read.error)
      return
    }
    await work(async () => {
      show(await saveCodeowners(org, project, file, { raw, names: read.names }))
      toast({ title: 'CODEOWNERS saved', tone: 'ok' })
    })
  }
  const remove = (removed: Codeowners): Promise<void> =>
    work(async () => {
      await removeCodeowners(org, project, removed)
      show(null)
      toast({
        title: 'CODEOWNERS removed',
        action: {
          label: 'Undo',
          run: () =>
            void work(async () =>
              show(await saveCodeowners(org, project, null, { raw: removed.raw, names: removed.names })),
            ),
        },
      })
    })
  return {
    raw,
    setRaw,
    names,
    setNames: (text: string) => {
      setNames(text)
      setNamesError(undefined)
    },
    namesError,
    failure,
    isBusy,
    isChanged,
    save,
    remove,
  }
}
