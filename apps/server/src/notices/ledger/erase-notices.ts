import { createPersonalMentions } from '../../channels/index.ts'
import type { Ledger, PersonalData } from '../../storage/index.ts'

/** Lines of inboxes and mails that wait stay, without the person to whom it happened who is erased. */
export const createPersonalNotices = ({ ledger }: { readonly ledger: Ledger }): PersonalData =>
  createPersonalMentions({ ledger, what: 'notices', tables: ['notice_entries', 'notice_mails'] })
