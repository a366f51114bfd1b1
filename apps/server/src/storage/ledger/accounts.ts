import type { AccountStore } from '../../accounts/accounts.store.ts'
import { createPeopleStore } from './accounts-people.ts'
import { createProjectStore } from './accounts-projects.ts'
import type { Db } from './accounts-rows.ts'
import { createTeamStore } from './accounts-teams.ts'
import type { Ledger } from './ledger.ts'

export const createAccountStore = (ledger: Pick<Ledger, 'db' | 'dialect' | 'transaction'>): AccountStore => {
  const over = (db: Db, transaction: AccountStore['transaction']): AccountStore => ({
    transaction,
    ...createPeopleStore(db),
    ...createTeamStore(db),
    ...createProjectStore(db, ledger.dialect),
  })
  return over(ledger.db, (work) =>
    ledger.transaction((transaction) =>
      work(over(transaction, () => Promise.reject(new Error('A transaction of accounts cannot contain another')))),
    ),
  )
}
