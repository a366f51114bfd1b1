import { pictureTexts } from './picture.pt.ts'
import { texts } from './pt.ts'
import { topicTexts } from './topic.pt.ts'

export const catalogue = { ...texts, ...pictureTexts, ...topicTexts }
