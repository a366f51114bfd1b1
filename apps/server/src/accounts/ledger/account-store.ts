import type { AccountStore } from '../accounts.store.ts'
import { createPeopleStore } from './people.ts'
import { createProjectStore } from './projects.ts'
import type { Db } from './rows.ts'
import { createTeamStore } from './teams.ts'
import type { Ledger } from '../../storage/ledger/ledger.ts'

export const createAccountStore = (ledger: Pick<Ledger, 'db' | 'dialect' | 'transaction'>): AccountStore => {
  const over = (db: Db, transaction: AccountStore['transaction']): AccountStore => ({
    transaction,
    ...createPeopleStore(db, ledger.dialect),
    ...createTeamStore(db),
    ...createProjectStore(db, ledger.dialect),
  })
  return over(ledger.db, (work) =>
    ledger.transaction((transaction) =>
      work(over(transaction, () => Promise.reject(new Error('A transaction of accounts cannot contain another')))),
    ),
  )
}
