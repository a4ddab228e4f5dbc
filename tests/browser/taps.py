"""What a finger hits: the body of a function for any browser, which returns sentences."""

# Each is brought to the middle of the screen. What lies under the middle of its first line has to
# be itself, a part of it, or what it is a part of.
COVERED = """
const kinds = 'a[href], button, label, summary, select, textarea, input'
const shown = {visibilityProperty: true, opacityProperty: true}
const line = node => node.textContent.trim().replace(/\\s+/g, ' ').slice(0, 30)
const words = node => `${node.tagName} ${line(node)}`
return [...document.querySelectorAll(kinds)].flatMap(node => {
    if (!node.checkVisibility(shown) || node.disabled) return []
    node.scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'})
    const [box] = node.getClientRects()
    if (!box || box.width < 4 || box.height < 4) return []
    const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
    const target = hit?.closest(kinds)
    if (!hit || hit.closest('.call')) return [] // somebody rings, over any page
    if (node.contains(hit) || target?.contains(node) || target?.control === node) return []
    return [`${words(node)} is covered by ${words(hit)}`]
})
"""
CUT_OFF = """
return [...document.querySelectorAll('.chip, .button, .badge, .count, .segmented__choice')]
    .filter(node => node.checkVisibility() && node.scrollWidth > node.clientWidth + 1)
    .map(node => `${node.className}: ${node.textContent.trim()} is cut off`)
"""
