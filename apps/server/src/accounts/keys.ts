import type { Clock } from '../lib/clock.ts'
import { err, ok } from '../lib/result.ts'
import type { Result } from '../lib/result.ts'
import { LIMITS } from './limits.ts'
import type { AccountStore } from './accounts.store.ts'
import { atomically } from './atomically.ts'
import { failure } from './failure.ts'
import type { Failure } from './failure.ts'
import type { Project, ProjectKey } from './model.ts'
import { makePublicKey } from './secrets.ts'
import type { RateLimit } from './settings.ts'

const NO_KEY = failure('not_found', 'This key does not exist.')

/** Keys of a project: what its DSNs carry. */
export const createKeys = ({
  store,
  clock,
  changed,
}: {
  readonly store: AccountStore
  readonly clock: Clock
  /** Hands a result on, and tells of the change: the door and the digest must notice. */
  readonly changed: <Value>(result: Result<Value, Failure>) => Result<Value, Failure>
}) => ({
  async createKey(
    project: Project,
    key: {
      label?: string | undefined
      rateLimit?: RateLimit | null | undefined
      bytesPerDay?: number | null | undefined
    },
  ): Promise<Result<ProjectKey, Failure>> {
    return changed(
      await atomically(store, async (store) => {
        if ((await store.countKeys(project.id)) >= LIMITS.KEYS_PER_PROJECT) {
          return err(failure('conflict', `A project has at most ${LIMITS.KEYS_PER_PROJECT} keys. Delete some first.`))
        }
        const publicKey = makePublicKey()
        await store.insertKey({
          projectId: project.id,
          publicKey,
          label: key.label ?? 'Key',
          rateLimit: key.rateLimit ?? null,
          bytesPerDay: key.bytesPerDay ?? null,
          now: clock.now(),
        })
        const created = await store.key(project.id, publicKey)
        return created === null ? err(NO_KEY) : ok(created)
      }),
    )
  },

  async updateKey(
    project: Project,
    publicKey: string,
    change: {
      label?: string | undefined
      active?: boolean | undefined
      rateLimit?: RateLimit | null | undefined
      bytesPerDay?: number | null | undefined
    },
  ): Promise<Result<ProjectKey, Failure>> {
    return changed(
      await atomically(store, async (store) => {
        const key = await store.key(project.id, publicKey)
        if (key === null) return err(NO_KEY)
        await store.updateKey(key.id, change)
        return ok((await store.key(project.id, publicKey)) ?? key)
      }),
    )
  },

  async removeKey(project: Project, publicKey: string): Promise<Result<null, Failure>> {
    return changed(
      await atomically(store, async (store) => {
        const key = await store.key(project.id, publicKey)
        if (key === null) return err(NO_KEY)
        await store.removeKey(key.id)
        return ok(null)
      }),
    )
  },
})
