"""Notes in scripts of East Asia, Arabic, Hebrew, Russian, Greek and others."""

from unicodedata import normalize

import pytest

from customers.allergies.reading import read_note
from customers.allergies.tests.codes import codes_of


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("エビとカニのアレルギーがあります。窓側の席", {"crustaceans"}),
        (normalize("NFD", "卵アレルギー"), {"eggs"}),
        (normalize("NFD", "δεν τρώει κρ\u03f5\u0301ας"), {"meat?"}),
        ("窓側の席。アレルギー：そば", {"unspecified"}),
        ("卵アレルギーで食べられない", {"eggs"}),
        ("卵と山芋アレルギー", {"eggs", "unspecified?"}),
        ("卵は大丈夫、ナッツアレルギー", {"eggs?", "nuts"}),
        ("山芋は食べられません", {"unspecified?"}),
        ("乳製品NG", {"milk?"}),
        ("乳製品ＮＧ", {"milk?"}),
        ("ｴﾋﾞｱﾚﾙｷﾞｰ", {"crustaceans"}),
        ("子どももアレルギーがあります", {"unspecified"}),
        ("だからしっかりアレルギー対応", {"unspecified"}),
        ("グルテンフリー", {"gluten?"}),
        ("卵×", {"eggs?"}),
        ("不吃肉", {"meat?"}),
        ("花生不行", {"peanuts?"}),
        ("새우 안돼요", {"crustaceans?"}),
        ("безглютеновое меню", {"gluten?"}),
        ("орехи - смерть", {"nuts?"}),
        ("רגיש לגלוטן", {"gluten"}),
        ("لا مكسرات", {"nuts?"}),
        ("بلا مكسرات", {"nuts?"}),
        ("우유 못 마셔요", {"milk?"}),
        ("рыба под запретом", {"fish?"}),
        ("卵除去でお願いします", {"eggs?"}),
        ("不能吃花生，过敏", {"peanuts"}),
        ("乳糖不耐", {"lactose", "milk?"}),
        ("化疗中", {"unspecified?"}),
        ("땅콩 알레르기 있어서 안 먹어요", {"peanuts"}),
        ("แพ้กุ้ง กินไม่ได้", {"crustaceans"}),
        ("حساسية من المكسّرات", {"unspecified"}),
        ("حساسية من المكسرات لا تضع", {"nuts"}),
        ("Аллергия на орехи", {"nuts"}),
        ("целиакия", {"gluten"}),
        ("сын не ест рыбу и молоко", {"fish?", "milk?"}),
        ("без орехов аллергия", {"nuts"}),
        ("без грибов", {"mushroom?"}),
        ("मूंगफली से एलर्जी है", {"peanuts"}),
        ("एलर्जी है, नहीं डालें", {"unspecified"}),
        ("αλλεργία στους ξηρούς καρπούς", {"nuts", "unspecified?"}),
        ("δεν τρώει αυγά, αλλεργία", {"eggs"}),
        ("אלרגיה לאגוזים", {"nuts"}),
        ("אסור שומשום", {"sesame?"}),
        ("καμία αλλεργία εκτός από ψάρι", {"fish"}),
        ("нет аллергии, кроме рыбы", {"fish"}),
        ("えび以外アレルギーなし", {"crustaceans"}),
        ("えびアレルギー・好き嫌いなし", {"crustaceans"}),
        ("食物アレルギー・好き嫌いなし", set()),
        ("豆乳と乳、卵アレルギー", {"soybeans", "milk", "eggs"}),
        ("견과류 X", {"nuts?"}),
        ("알레르기 X", set()),
        ("새우 x1", set()),
        ("유제품 불가", {"milk?"}),
        ("이식당", set()),
        ("えび・かになし、卵と乳なし", {"crustaceans?", "eggs?", "milk?"}),
        ("エビスビール、乳製品なし", {"milk?"}),
        ("アレルギー:特になし", set()),
        ("アレルギー・苦手食材なし", set()),
        ("ما ياكل روبيان", {"crustaceans?"}),
        ("αλλεργίες: καμία", set()),
        ("αλλεργία στα φιστίκια", {"peanuts", "nuts?"}),
        ("постное меню", {"unspecified?"}),
    ],
)
def test_an_allergy_in_another_script_is_found_with_its_cause(text, codes):
    assert codes_of(text) == codes


@pytest.mark.parametrize(
    ("text", "diets"),
    [
        ("妊婦さんがいます", ["pregnant"]),
        ("2 веганки, одна беременна", ["vegan", "pregnant"]),
        ("كل الأكل حلال", ["halal"]),
        ("не беременная", []),
        ("ベジタリアンではありません", []),
    ],
)
def test_a_diet_in_another_script_is_found(text, diets):
    assert [diet.code for diet in read_note(text).diets] == diets


@pytest.mark.parametrize(
    "text",
    [
        "アレルギーなし",
        "アレルギーはありません",
        "没有过敏",
        "没有食物过敏",
        "不过敏",
        "过敏：无",
        "알레르기 없음",
        "알레르기는 없습니다",
        "нет пищевых аллергий",
        "לא אלרגית",
        "ไม่แพ้อะไร",
        "لا يوجد حساسية",
        "Аллергии нет, столик у окна",
        "δεν έχω αλλεργίες",
        "אין אלרגיות",
        "कोई एलर्जी नहीं",
        "誕生日です",
        "День рождения, торт с орехами",
        "έγκυρη κράτηση, 15 Αυγούστου, χωρίς καπνό",
        "بلال يحب السمك",
        "ללא שום אלרגיות",
        "卵アレルギーなし",
        "アレルギーは特にありません",
        "没有忌口",
        "生日蛋糕，靠窗",
        "不要靠门的位置",
        "نبيذ أبيض من فضلك",
    ],
)
def test_none_in_another_script_is_none(text):
    assert codes_of(text) == set()
