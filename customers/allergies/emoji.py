"""Emoji that name a food, and those that warn of it."""

EMOJI = {
    "🥜": "peanuts", "🌰": "nuts", "🦐": "crustaceans", "🦞": "crustaceans", "🦀": "crustaceans",
    "🐟": "fish", "🐠": "fish", "🍣": "fish", "🎣": "fish", "🥛": "milk", "🧀": "milk",
    "🧈": "milk", "🥚": "eggs", "🍳": "eggs", "🌾": "gluten", "🍞": "gluten", "🥖": "gluten",
    "🦪": "molluscs",
    "🐙": "molluscs", "🦑": "molluscs", "🐚": "molluscs", "🍓": "strawberry", "🥝": "kiwi",
    "🧄": "garlic", "🧅": "onion", "🍅": "tomato", "🐖": "pork", "🐷": "pork", "🥓": "pork",
    "🍷": "alcohol", "🍺": "alcohol", "🍸": "alcohol", "🍄": "mushroom", "🥑": "avocado",
    "🍌": "banana", "🍍": "pineapple", "🥭": "mango", "🍑": "peach", "🍎": "apple", "🌶": "chilli",
    "🫘": "legumes", "🍫": "chocolate", "🍯": "honey", "🥥": "coconut", "🍋": "citrus",
}  # fmt: skip
FORBIDDEN = ("⚠", "🚫", "❌", "⛔", "☠", "💀", "🆘", "🚨", "‼", "🤧", "🤢", "🤮")
