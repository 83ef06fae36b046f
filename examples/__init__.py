"""Programs that use Atoll as anybody could."""
