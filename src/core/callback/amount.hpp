// SPDX-License-Identifier: Apache-2.0
// Money as a provider names it, exactly: some give minor units (8888), some decimal text (88.88), and neither passes
// through a double. Kept as the value itself, without zeros behind, so that 88.8 and 88.80 and 8880 cents compare
// equal.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pawl::callback {

inline constexpr std::int64_t kAmountUnitsMax = 999'999'999'999'999;  // 15 digits
inline constexpr int kAmountDecimalsMax = 6;

class Amount {
  public:
    // Decimal text, or a JSON number as it stands: digits, perhaps decimals, perhaps an exponent, no sign. `currency`:
    // three letters. nullopt: not of that form, or beyond the bounds.
    static std::optional<Amount> in_decimal(std::string_view text, std::string_view currency);
    // In units of 10^-decimals: a whole number.
    static std::optional<Amount> in_minor_units(std::string_view text, std::string_view currency,
                                                int decimals);

    std::int64_t units() const { return units_; }  // of 10^-decimals
    int decimals() const { return decimals_; }
    const std::string& currency() const { return currency_; }  // capitals
    // "88.80": with the decimals of its currency, as people write it, and with more where it has more.
    std::string decimal_text() const;
    // "88.80 CNY", as a flow's money is written.
    std::string money_text() const { return decimal_text() + " " + currency_; }
    // In units of 10^-decimals; nullopt: it has more decimals, or is beyond kAmountUnitsMax.
    std::optional<std::int64_t> minor_units(int decimals) const;

    bool operator==(const Amount&) const = default;

  private:
    Amount(std::int64_t units, int decimals, std::string currency)
        : units_(units), decimals_(decimals), currency_(std::move(currency)) {}

    std::int64_t units_;
    int decimals_;
    std::string currency_;
};

// Decimals of a currency's minor unit (ISO 4217); 2 where nothing else is known.
int iso_decimals(std::string_view currency);

}  // namespace pawl::callback
