import { pictureTexts } from './picture.pt.ts'
import { texts } from './pt.ts'

export const catalogue = { ...texts, ...pictureTexts }
